import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageAround } from './manifest.ts';
import { starterFor, type Runner } from './starter.ts';

const example = (path: string): string => readFileSync(new URL(`../../examples/${path}`, import.meta.url), 'utf8');

interface Given {
  readonly manifest: object;
  readonly tsconfig?: boolean;
  readonly runner?: Runner;
  readonly nodeRunsTypeScript?: boolean;
}

/** What is written for a package: the runner and the names of the files, and what the test imports. */
function chosen({ manifest, tsconfig = false, runner, nodeRunsTypeScript = false }: Given): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  if (tsconfig) writeFileSync(join(folder, 'tsconfig.json'), '{}');
  const starter = starterFor(packageAround(folder), runner, nodeRunsTypeScript);
  const [, imported = ''] = /import payment from '\.\/(.+)'/.exec(starter.test.text) ?? [];
  return [starter.runner, starter.system.name, starter.test.name, `imports ${imported}`].join(', ');
}

const needs = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, '1']));

describe('the runner is', () => {
  test.each<[why: string, manifest: object, runner: Runner]>([
    ['none that is known', {}, 'node'],
    ['a dependency for development', { devDependencies: needs('vitest') }, 'vitest'],
    ['a dependency', { dependencies: needs('jest') }, 'jest'],
    ['another kind', { devDependencies: needs('mocha', 'vitest-mock', 'ts-jest') }, 'node'],
    ['called by a script', { scripts: { test: 'jest --ci' } }, 'jest'],
    ['called by another script', { scripts: { build: 'tsc', 'test:unit': 'vitest run' } }, 'vitest'],
    ['both, of which one is called', { devDependencies: needs('jest', 'vitest'), scripts: { test: 'jest' } }, 'jest'],
    ['node, though there is another', { devDependencies: needs('jest'), scripts: { test: 'node --test' } }, 'node'],
    ['node behind options', { scripts: { test: 'node --import tsx --test' } }, 'node'],
    ['not named by npm init', { scripts: { test: 'echo "Error: no test specified" && exit 1' } }, 'node'],
  ])('%s', (_why, manifest, runner) => {
    expect(chosen({ manifest })).toContain(`${runner}, `);
  });

  test('what was asked for, whatever the package says', () => {
    expect(chosen({ manifest: { devDependencies: needs('vitest') }, runner: 'jest' })).toContain('jest, ');
  });
});

describe('the files are written', () => {
  const typed = { devDependencies: needs('typescript') };

  test.each<[how: string, given: Given, expected: string]>([
    [
      'as modules of JavaScript',
      { manifest: { type: 'module' } },
      'node, payment.system.js, payment.test.js, imports payment.system.js',
    ],
    [
      'as modules where the package is none',
      { manifest: { type: 'commonjs' } },
      'node, payment.system.mjs, payment.test.mjs, imports payment.system.mjs',
    ],
    [
      'in TypeScript for Vitest',
      { manifest: { type: 'module', ...typed }, runner: 'vitest' },
      'vitest, payment.system.ts, payment.test.ts, imports payment.system.js',
    ],
    [
      'in TypeScript where there is a tsconfig.json',
      { manifest: {}, tsconfig: true, runner: 'vitest' },
      'vitest, payment.system.mts, payment.test.mts, imports payment.system.mjs',
    ],
    [
      'in JavaScript for Jest all the same',
      { manifest: { type: 'module', ...typed }, runner: 'jest', nodeRunsTypeScript: true },
      'jest, payment.system.js, payment.test.js, imports payment.system.js',
    ],
    [
      'in JavaScript where Node runs nothing else',
      { manifest: typed, runner: 'node' },
      'node, payment.system.mjs, payment.test.mjs, imports payment.system.mjs',
    ],
    [
      'in TypeScript where Node runs it',
      { manifest: typed, runner: 'node', nodeRunsTypeScript: true },
      'node, payment.system.mts, payment.test.mts, imports payment.system.mts',
    ],
  ])('%s', (_how, given, expected) => {
    expect(chosen(given)).toBe(expected);
  });
});

test('the system is the same in TypeScript and in JavaScript, word for word', async () => {
  const [typed, plain] = [example('vitest/payment.system.ts'), example('node-test/payment.system.js')];
  const code = async (text: string): Promise<string> =>
    (await transform(text, { loader: 'ts', minifyWhitespace: true })).code;
  const remarks = (text: string): string[] => text.match(/\/\/ .*/g) ?? [];
  expect(await code(plain)).toBe(await code(typed));
  expect(remarks(plain)).toEqual(remarks(typed));
  expect(remarks(plain).length).toBeGreaterThan(5);
  expect(example('jest/payment.system.js')).toBe(plain);
});
