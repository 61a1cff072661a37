import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from './manifest.ts';

export const runners = ['vitest', 'jest', 'node'] as const;
export type Runner = (typeof runners)[number];

/** The files for a newcomer: a system and a test, named and written to suit the package. */
export interface Starter {
  readonly runner: Runner;
  readonly system: StarterFile;
  readonly test: StarterFile;
  /** Why it is not written in TypeScript, if the package is. */
  readonly whyJavaScript: string | undefined;
}

export interface StarterFile {
  readonly name: string;
  readonly text: string;
}

/** Published with culprit: our own tests run what `init` writes. */
const examples = new URL('../../examples/', import.meta.url);

const testIn = { vitest: 'vitest/payment.test.ts', jest: 'jest/payment.test.js', node: 'node-test/payment.test.js' };

/** The files for a package; `nodeRunsTypeScript` matters if Node itself runs the tests. */
export function starterFor(owner: Package, given: Runner | undefined, nodeRunsTypeScript: boolean): Starter {
  const runner = given ?? runnerOf(owner);
  const typed = usesTypeScript(owner);
  const whyJavaScript = typed ? whyNotTypeScript(runner, nodeRunsTypeScript) : undefined;
  const inTypeScript = typed && whyJavaScript === undefined;
  const m = markOf(owner);
  const extension = `${m}${inTypeScript ? 'ts' : 'js'}`;
  // TypeScript imports the name of the compiled file; Node imports the name of the file itself.
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

/** The files are ES modules: in a package of CommonJS the extension says so. */
const markOf = ({ manifest }: Package): string => (manifest.type === 'module' ? '' : 'm');

/** The extension of a system that no test imports: culprit compiles TypeScript itself. */
export const systemExtension = (owner: Package): string => `${markOf(owner)}${usesTypeScript(owner) ? 'ts' : 'js'}`;

const textOf = (example: string): string => readFileSync(new URL(example, examples), 'utf8');

/** The runner that the scripts call comes first: a package may depend on two runners during a migration. */
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
