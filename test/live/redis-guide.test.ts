import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the example of the guide that needs Redis prints its documented output', () => {
  const found = inject('programs').redisServer;
  if ('problem' in found) throw new Error(found.problem);
  const guide = readFileSync(join(root, 'docs/guide/tcp.md'), 'utf8');
  const [, program = ''] = /^```ts redis-server\n([\s\S]*?)^```/m.exec(guide) ?? [];
  const prints = [...program.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line);
  expect(prints).not.toEqual([]);
  mkdirSync(join(root, '.culprit'), { recursive: true });
  const folder = mkdtempSync(join(root, '.culprit', 'redis-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'example.ts'), program);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', join(root, 'tools/source/register.mjs'), join(folder, 'example.ts')],
    { encoding: 'utf8', cwd: root },
  );
  expect([stderr, stdout.trimEnd().split('\n')]).toEqual(['', prints]);
});
