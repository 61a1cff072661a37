import { Command } from 'commander';
import { replay } from '../replay.ts';
import { loadTrace } from '../trace-file.ts';
import { loadSystem, moduleOf } from '../load-system.ts';
import { printViolation } from './print.ts';
import { style } from './style.ts';

export const replayCommand = (): Command =>
  new Command('replay')
    .description('execute a saved trace again, exactly, and compare every state')
    .argument('<trace>', 'a trace file')
    .option('--system <module>', 'the system, where it is no longer where the trace says')
    .addHelpText('after', '\nExample:\n  culprit replay .culprit/mutual-exclusion-3f2a.trace')
    .action(run);

async function run(path: string, { system: given }: { system?: string }): Promise<void> {
  const trace = loadTrace(path);
  const { system } = await loadSystem(given ?? moduleOf(trace, path, 'replay'));
  const again = await replay(system, trace);
  // What it was made from is not executed again.
  if (again.verdict.verdict === 'violated') printViolation({ ...again, header: trace.header });
  const same = `every event, state and message of ${path} came out the same`;
  process.stdout.write(
    `${again.verdict.verdict === 'violated' ? '\n' : ''}${style.quiet('replayed')}  ${same} (${again.events.length} events)\n`,
  );
  if (again.verdict.verdict === 'violated') process.exitCode = 1;
}
