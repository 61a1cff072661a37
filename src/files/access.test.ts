import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { whyNot } from './file-problem.ts';
import { replaceFile } from './access.ts';
import { loadSystem } from '../system/load-system.ts';
import { temporaryName } from './temporary.ts';

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const allIn = (folder: string): string[] => (readdirSync(folder, { recursive: true }) as string[]).sort();

/** A process that is gone. */
const gone = (): number => spawnSync(process.execPath, ['-e', '']).pid;

test('a file is replaced whole, through a link, and nothing else is left', () => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'file'), 'before');
  symlinkSync('file', join(folder, 'link'));
  replaceFile(join(folder, 'link'), Buffer.from('after'));
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('after');
  expect(allIn(folder)).toEqual(['file', 'link', 'node_modules', 'node_modules/.cache', 'node_modules/.cache/culprit']);
});

test('what a killed process has left is removed, and what others are using is not', () => {
  const folder = freshFolder();
  const cache = join(folder, 'node_modules/.cache/culprit');
  mkdirSync(cache, { recursive: true });
  const mine = temporaryName('.part');
  const stale = mine.replace(`-${process.pid}-`, `-${gone()}-`);
  const elsewhere = stale.replace(/-[0-9a-f]{8}-/, '-00000000-');
  for (const name of [mine, stale, elsewhere, 'else']) writeFileSync(join(cache, name), '');
  replaceFile(join(folder, 'file'), Buffer.from('x'));
  expect(readdirSync(cache).sort()).toEqual([mine, elsewhere, 'else'].sort());
});

const SYSTEM = `
  import { behaviour, defineSystem } from 'culprit';
  import { name } from 'friend';
  import { self } from 'me/self';
  export default defineSystem({ name: name + self, processes: { a: behaviour({ start: () => ({}), receive() {} }) } });`;

test.each([
  ['among the packages', true],
  ['in the temporary folder, where nothing can be written there', false],
])('a compiled module lies %s, and finds its packages and itself', async (_where, isWritable) => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'node_modules/friend'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/friend/index.mjs'), `export const name = 'friend of ';`);
  writeFileSync(join(folder, 'node_modules/friend/package.json'), '{ "exports": "./index.mjs" }');
  if (!isWritable) writeFileSync(join(folder, 'node_modules/.cache'), '');
  mkdirSync(join(folder, 'app'));
  writeFileSync(
    join(folder, 'app/package.json'),
    '{ "name": "me", "type": "module", "exports": { "./self": "./self.js" } }',
  );
  writeFileSync(join(folder, 'app/self.js'), `export const self = 'me';`);
  writeFileSync(join(folder, 'app/x.system.ts'), SYSTEM);
  const before = allIn(join(folder, 'app'));
  const { system, code } = await loadSystem(join(folder, 'app/x.system.ts'));
  expect(system.define({}).name).toBe('friend of me');
  expect(code).toMatch(/^[0-9a-f]{64}$/);
  expect(allIn(join(folder, 'app'))).toEqual(before);
  expect(allIn(join(folder, 'node_modules')).filter((name) => name.endsWith('.ts.mjs'))).toEqual([]);
});

test.each([
  ['EROFS', 'the file system is read-only'],
  ['EACCES', 'there is no permission to'],
  ['ENOSPC', 'no space is left on the disk'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EMFILE', 'too many files are open'],
])('%s in words', (code, words) => {
  expect(whyNot(Object.assign(new Error('x'), { code }), 'file')).toBe(words);
});
