import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocks, followed, packageOfReader, textOf } from './reader.ts';

/** The tutorial, as a reader follows it: from a violation to a test that keeps it fixed. */

const page = 'docs/guide/tutorial.md';
const [system = '', fixed = '', testFile = ''] = blocks(page, 'js');
const [red = '', replayed = '', checked = ''] = blocks(page, 'console');

/** The behavior of the cache, which the reader replaces. */
const cache = /^const cache = [\s\S]*?^\}\);\n/m;

let folder = '';
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = packageOfReader();
  writeFileSync(file('cache.system.js'), system);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const testRun = (): { readonly status: number | null; readonly stdout: string } =>
  spawnSync(process.execPath, ['--test'], { cwd: folder, encoding: 'utf8' });

test('the first command shows the violation', () => {
  expect(system.startsWith('// cache.system.js\n')).toBe(true);
  // A busy machine gets the time for the same answer.
  const { shown, seen } = followed(red.replace('\n', ' --minimize-seconds 600\n'), folder);
  expect(seen).toEqual(shown);
});

test('the explanation has the reason that the hunt gave', () => {
  const { seen } = followed('$ culprit explain .culprit/fresh-dc52.min.trace', folder);
  const [quoted = ''] = /had event \d+ .*/.exec(textOf(page)) ?? [];
  expect(quoted).not.toBe('');
  expect(seen.find((line) => line.startsWith('why  '))).toContain(quoted);
});

test('the fix is one line, and with it nothing is violated', () => {
  const before = readFileSync(file('cache.system.js'), 'utf8');
  const after = before.replace(cache, fixed);
  const lines = after.split('\n');
  expect(before.split('\n').filter((line, at) => line !== lines[at])).toHaveLength(1);
  writeFileSync(file('cache.system.js'), after);
  for (const session of [replayed, checked]) {
    const { shown, seen } = followed(session, folder);
    expect(seen).toEqual(shown);
  }
});

test('the test passes, and fails at once without the fix', () => {
  writeFileSync(file('cache.test.js'), testFile);
  expect(testRun()).toMatchObject({ status: 0, stdout: expect.stringContaining('# pass 1') as string });
  writeFileSync(file('cache.system.js'), system);
  const { status, stdout } = testRun();
  expect(status).toBe(1);
  expect(stdout).toContain('found     earlier, by seed ');
  expect(stdout).toContain('12  cache     gets set (value 1, version 1) from reader');
});
