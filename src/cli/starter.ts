import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from './manifest.ts';

export const runners = ['vitest', 'jest', 'node'] as const;
export type Runner = (typeof runners)[number];

/** What a newcomer gets: a system and a test of it, under names and in a language that suit the package. */
export interface Starter {
  readonly runner: Runner;
  readonly system: StarterFile;
  readonly test: StarterFile;
  /** Why it is not written in TypeScript, in a package that is. */
  readonly whyJavaScript: string | undefined;
}

interface StarterFile {
  readonly name: string;
  readonly text: string;
}

/** Published with culprit: what `init` writes is what our own tests run. */
const examples = new URL('../../examples/', import.meta.url);

const testIn = { vitest: 'vitest/payment.test.ts', jest: 'jest/payment.test.js', node: 'node-test/payment.test.js' };

/** The files for a package; `nodeRunsTypeScript` decides where Node itself runs the tests. */
export function starterFor(owner: Package, given: Runner | undefined, nodeRunsTypeScript: boolean): Starter {
  const runner = given ?? runnerOf(owner);
  const typed = usesTypeScript(owner);
  const whyJavaScript = typed ? whyNotTypeScript(runner, nodeRunsTypeScript) : undefined;
  const inTypeScript = typed && whyJavaScript === undefined;
  // Written as modules: a package that is not one says so in the name of the file.
  const m = owner.manifest.type === 'module' ? '' : 'm';
  const extension = `${m}${inTypeScript ? 'ts' : 'js'}`;
  // TypeScript wants the name that the file would have as JavaScript; Node wants the name that it has.
  const imported = runner === 'node' ? extension : `${m}js`;
  const system = textOf(inTypeScript ? 'vitest/payment.system.ts' : 'node-test/payment.system.js');
  const test = textOf(testIn[runner]).replace('./payment.system.js', `./payment.system.${imported}`);
  return {
    runner,
    system: { name: `payment.system.${extension}`, text: system },
    test: { name: `payment.test.${extension}`, text: test },
    whyJavaScript,
  };
}

const textOf = (example: string): string => readFileSync(new URL(example, examples), 'utf8');

/** What the scripts call comes first: a package on its way from one runner to another depends on both. */
function runnerOf({ manifest }: Package): Runner {
  const called = Object.values(manifest.scripts).join('\n');
  if (/\bvitest\b/.test(called)) return 'vitest';
  if (/\bjest\b/.test(called)) return 'jest';
  if (/\bnode\b.*--test\b/.test(called)) return 'node';
  const installed = dependenciesOf(manifest);
  return runners.find((runner) => installed.has(runner)) ?? 'node';
}

const usesTypeScript = ({ folder, manifest }: Package): boolean =>
  dependenciesOf(manifest).has('typescript') || existsSync(join(folder, 'tsconfig.json'));

const dependenciesOf = ({ dependencies, devDependencies }: Package['manifest']): Set<string> =>
  new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);

function whyNotTypeScript(runner: Runner, nodeRunsTypeScript: boolean): string | undefined {
  if (runner === 'jest') return 'Jest needs a transformer for TypeScript';
  if (runner === 'node' && !nodeRunsTypeScript) return 'this version of Node does not run TypeScript';
  return undefined;
}
