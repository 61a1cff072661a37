import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { pagesInOrder } from './pages-in-order.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A program in a document, and its documented output. */
interface Example {
  readonly document: string;
  readonly program: string;
  readonly prints: readonly string[];
}

/** The README and the pages that continue one another have a test of their own. */
const documents = [
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .filter((path) => !pagesInOrder.includes(path))
    .sort(),
];

const examplesIn = (document: string): Example[] =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, program = '']) => ({
    document,
    program,
    prints: [...program.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line = '']) => line),
  }));

test('the examples of the documents print their documented output', () => {
  const examples = documents.flatMap(examplesIn);
  expect(examples.length).toBeGreaterThanOrEqual(5);
  expect(examples.filter(({ prints }) => prints.length === 0)).toEqual([]);
  // Without its own package the folder belongs to ours, and `culprit` in it is the built one.
  mkdirSync(join(root, '.culprit'), { recursive: true });
  const folder = mkdtempSync(join(root, '.culprit', 'docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'cases/lock/lock.system.ts'), join(folder, 'lock.system.ts'));
  for (const [at, { program }] of examples.entries()) writeFileSync(join(folder, `example-${at}.ts`), program);
  // One process for all of them: starting it takes as long as most examples.
  const all = examples.map(({ document }, at) => `console.log('${document}');\nawait import('./example-${at}.ts');\n`);
  writeFileSync(join(folder, 'all.mjs'), all.join(''));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', join(root, 'tools/source/built.mjs'), join(folder, 'all.mjs')],
    { encoding: 'utf8', cwd: folder },
  );
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n')).toEqual(examples.flatMap(({ document, prints }) => [document, ...prints]));
});
