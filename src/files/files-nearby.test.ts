import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { didYouMeanFile, filesToChoose } from './files-nearby.ts';

function folderWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of names) writeFileSync(join(folder, name), '');
  return folder;
}

test('a file with a similar name is suggested', () => {
  const folder = folderWith('lock.system.ts', 'raft.system.ts');
  expect(didYouMeanFile(join(folder, 'lok.system.ts'))).toBe(`: did you mean ${join(folder, 'lock.system.ts')}?`);
  expect([didYouMeanFile(join(folder, 'zebra')), didYouMeanFile(join(folder, 'none', 'x'))]).toEqual(['.', '.']);
});

test('a folder offers its files of a kind, and counts those that are many', () => {
  const folder = folderWith('b.trace', 'a.trace', 'x.ts');
  expect(filesToChoose(folder, /\.trace$/)).toBe(`${join(folder, 'a.trace')}, ${join(folder, 'b.trace')}`);
  expect(filesToChoose(folder, /\.js$/)).toBeUndefined();
  const many = folderWith(...Array.from({ length: 7 }, (_, at) => `${at}.trace`));
  expect(filesToChoose(many, /\.trace$/)).toMatch(/4\.trace and 2 more$/);
});
