import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { culprit, folderWith } from './culprit.ts';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const saved = '.culprit/mutual-exclusion-8dfc.min.trace';

/** A display, and a command that records which address it opens. */
function withScreen(folder: string): NodeJS.ProcessEnv {
  mkdirSync(join(folder, 'bin'));
  for (const name of ['bin/xdg-open', 'bin/open'])
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$1" > '${folder}/opened'\n`, { mode: 0o755 });
  return { ...process.env, DISPLAY: ':0', PATH: `${folder}/bin:${process.env['PATH']}` };
}

/** The address that `culprit view` prints, and the folder it does so in. */
async function viewed(...more: readonly string[]): Promise<{ folder: string; url: string }> {
  const folder = folderWith();
  culprit(folder, 'hunt', 'lock.system.ts');
  const args = [main, 'view', saved, '--no-why', ...more];
  const child = spawn(process.execPath, args, { cwd: folder, env: withScreen(folder) });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = await new Promise<string>((resolve) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString()));
  });
  return { folder, url: /http:\S+/.exec(said)?.[0] ?? '' };
}

test('culprit view opens the address that it prints', async () => {
  const { folder, url } = await viewed();
  const opened = (): string => (existsSync(join(folder, 'opened')) ? readFileSync(join(folder, 'opened'), 'utf8') : '');
  await expect.poll(opened, { timeout: 100_000 }).toBe(`${url}\n`);
});

test('culprit view --no-open does not', async () => {
  const { folder, url } = await viewed('--no-open');
  expect((await fetch(url)).status).toBe(200);
  expect(existsSync(join(folder, 'opened'))).toBe(false);
});

/** The places that the page shows, by event. */
async function placesAt(url: string): Promise<readonly string[]> {
  const answer = await fetch(url.replace('/?', '/exhibit?'));
  const { executions } = (await answer.json()) as { executions: { sentences: { at?: string }[] }[] };
  return executions.flatMap(({ sentences }) => sentences.flatMap(({ at }) => at ?? []));
}

test('culprit view --no-why names the code of handlers only if it is asked to, because that runs the system', async () => {
  expect(await placesAt((await viewed('--no-open')).url)).toEqual([]);
  expect(await placesAt((await viewed('--no-open', '--places')).url)).toContainEqual(
    expect.stringMatching(/^lock\.system\.ts:\d+$/),
  );
});

test('a hunt or a minimization with an error does not wait for its page', () => {
  const folder = folderWith();
  expect(culprit(folder, 'hunt', 'lock.system.ts', '--strategy', 'nonsense', '--view').code).toBe(2);
  culprit(folder, 'hunt', 'lock.system.ts');
  const text = readFileSync(join(folder, saved), 'utf8').replace('"phase":"waiting"', '"phase":"waitin"');
  writeFileSync(join(folder, 'other.trace'), text);
  const { code, err } = culprit(folder, 'minimize', 'other.trace', '--view');
  expect(code).toBe(2);
  expect(err).toContain('view      http://127.0.0.1:');
});
