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
import { temporaryName } from './temporary.ts';

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const allIn = (folder: string): string[] => (readdirSync(folder, { recursive: true }) as string[]).sort();

/** The id of a process that has exited. */
const gone = (): number => spawnSync(process.execPath, ['-e', '']).pid;

test('a file is replaced atomically, through a link, and leaves no temporary file', () => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'file'), 'before');
  symlinkSync('file', join(folder, 'link'));
  replaceFile(join(folder, 'link'), Buffer.from('after'));
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('after');
  expect(allIn(folder)).toEqual(['file', 'link', 'node_modules', 'node_modules/.cache', 'node_modules/.cache/culprit']);
});

test('leftovers of a killed process are removed, files in use are not', () => {
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

test.each([
  ['EROFS', 'the file system is read-only'],
  ['EACCES', 'permission denied'],
  ['ENOSPC', 'no space is left on the disk'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EMFILE', 'too many files are open'],
])('%s in words', (code, words) => {
  expect(whyNot(Object.assign(new Error('x'), { code }), 'file')).toBe(words);
});
