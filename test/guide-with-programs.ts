import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the example of a page prints that needs a program, line by line, and what the page says that it prints. */
export function exampleOf(page: string, program: string): { printed: string[]; documented: string[] } {
  const guide = readFileSync(join(root, page), 'utf8');
  const [, code = ''] = new RegExp(`^\`\`\`ts ${program}\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide) ?? [];
  const documented = [...code.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line = '']) => line);
  if (documented.length === 0) throw new Error(`${page} has no example for ${program}`);
  mkdirSync(join(root, '.culprit'), { recursive: true });
  const folder = mkdtempSync(join(root, '.culprit', 'guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'example.ts'), code);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', join(root, 'tools/source/register.mjs'), join(folder, 'example.ts')],
    { encoding: 'utf8', cwd: root },
  );
  return { printed: `${stdout}${stderr}`.trimEnd().split('\n'), documented };
}
