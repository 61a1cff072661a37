import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Ends a test run with one line for machines: `12 passed, 0 failed`, with `, 1 skipped` if tests were skipped. */
export class SummaryLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()]).map(stateOf);
    const count = (wanted: State): number => states.filter((state) => state === wanted).length;

    const failed = count('failed') + modules.reduce((sum, module) => sum + failedOutsideTests(module), 0);
    const skipped = count('skipped');
    const line = `${count('passed')} passed, ${failed + unhandled.length} failed`;
    console.log(skipped === 0 ? line : `${line}, ${skipped} skipped`);
  }
}

type State = 'passed' | 'failed' | 'skipped';

/** A test that never finished counts as failed. */
function stateOf(test: TestCase): State {
  const { state } = test.result();
  return state === 'pending' ? 'failed' : state;
}

/** A file that cannot be loaded, or a hook that throws, fails no test: its tests are missing or skipped. */
function failedOutsideTests(module: TestModule): number {
  const suites = [module, ...module.children.allSuites()];
  return suites.filter((suite) => suite.errors().length > 0).length;
}
