import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs the example of a page that needs a program, and expects what the page says it prints. */
export function expectExample(page: string, program: string): void {
  const guide = readFileSync(join(root, page), 'utf8');
  const [, code = ''] = new RegExp(`^\`\`\`ts ${program}\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide) ?? [];
  const prints = [...code.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line);
  expect(prints).not.toEqual([]);
  mkdirSync(join(root, '.culprit'), { recursive: true });
  const folder = mkdtempSync(join(root, '.culprit', 'guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'example.ts'), code);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', join(root, 'tools/source/register.mjs'), join(folder, 'example.ts')],
    { encoding: 'utf8', cwd: root },
  );
  expect([stderr, stdout.trimEnd().split('\n')]).toEqual(['', prints]);
}
