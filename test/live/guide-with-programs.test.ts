import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each([
  ['redisServer', 'redis-server', 'docs/guide/tcp.md'],
  ['libfaketime', 'libfaketime', 'docs/guide/live-programs.md'],
] as const)('the example of the guide that needs %s prints its documented output', (name, mark, page) => {
  const found = inject('programs')[name];
  if ('problem' in found) throw new Error(found.problem);
  const [, rest = ''] = readFileSync(join(root, page), 'utf8').split(`\`\`\`ts ${mark}\n`);
  const [program = ''] = rest.split('\n```');
  const prints = [...program.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line);
  expect(prints).not.toEqual([]);
  mkdirSync(join(root, '.culprit'), { recursive: true });
  const folder = mkdtempSync(join(root, '.culprit', 'guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'example.ts'), program);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', join(root, 'tools/source/register.mjs'), join(folder, 'example.ts')],
    { encoding: 'utf8', cwd: root },
  );
  expect([stderr, stdout.trimEnd().split('\n')]).toEqual(['', prints]);
});
