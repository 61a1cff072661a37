import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.ts';

test('a process that is killed while it loads a system leaves nothing beside it, and the next process removes the rest', () => {
  const folder = folderWith({ 'kills.ts': `process.kill(process.pid, 'SIGKILL');` });
  mkdirSync(join(folder, 'node_modules'));
  const files = readdirSync(folder);
  expect(culprit(folder, 'hunt', 'kills.ts').code).toBe(null);
  expect(readdirSync(folder)).toEqual(files);
  const cache = join(folder, 'node_modules/.cache/culprit');
  expect(readdirSync(cache)).toHaveLength(1);
  writeFileSync(join(folder, 'kills.ts'), '');
  expect(culprit(folder, 'hunt', 'kills.ts').err).toContain('exports no system by default');
  expect(readdirSync(cache)).toEqual([]);
});
