import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { culprit, makeFolder, removeFolder } from '../cli/culprit.ts';
import { blank, here, press, withBrowser } from './browser.ts';

withBrowser();

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const spark = fileURLToPath(new URL('../../cases/spark/spark.system.ts', import.meta.url));
const bug = ['--set', 'bug=spark-3150'];

let folder: string;
const [smaller, larger] = ['.culprit/mutual-exclusion-8dfc.min.trace', '.culprit/mutual-exclusion-8dfc.trace'];

beforeAll(() => {
  folder = makeFolder();
  culprit(folder, 'hunt', 'lock.system.ts');
});

afterAll(() => removeFolder(folder));

/** A running command, and the address that it prints. */
async function started(...args: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  // Without a display it opens no browser.
  const { DISPLAY: _screen, WAYLAND_DISPLAY: _other, ...env } = process.env;
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (text: Buffer): void => {
      said += text.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(said);
      if (found !== null) resolve(found[0]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', () => reject(new Error(`it ended, and said: ${said}`)));
  });
  return { child, url };
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.on('exit', (code) => resolve(code)));

test('culprit view serves the trace, until it is ended', async () => {
  const { child, url } = await started('view', smaller, '--no-open');
  const { page, watched } = await blank();
  await page.goto(url);
  await page.waitForSelector('.row');
  await press(page, 'Home');
  expect(await here(page)).toBe('1 lock starts');
  expect(await page.locator('.event .place').innerText()).toBe('at lock.system.ts:23');
  // Meanwhile the command finds out why.
  await page.getByText('had event 10 (lock gets acquire from client-3) come before event 9').first().waitFor();
  const exit = ended(child);
  child.kill('SIGINT');
  expect(await exit).toBe(0);
  // The page stays without its server.
  await press(page, 'End');
  expect(await here(page)).toMatch(/^11 client-\d gets granted/);
  const { origin, search } = new URL(url);
  const asked = `${origin}/exhibit${search}`;
  // The page asks again if it was loaded before the reason was known.
  const once = [url, asked];
  expect([once, [...once, `${asked}&after=1`]]).toContainEqual(watched.requests);
  expect([watched.dialogs, watched.problems]).toEqual([[], []]);
});

test('culprit view shows two traces side by side', async () => {
  const { url } = await started('view', smaller, larger, '--no-open');
  const { page } = await blank();
  await page.goto(url);
  await page.waitForSelector('.row');
  expect(await page.locator('.diagram').count()).toBe(2);
});

test('without its token the server returns nothing', async () => {
  const { url } = await started('view', smaller, '--no-open');
  const { page } = await blank();
  expect((await page.goto(new URL(url).origin))?.status()).toBe(403);
  expect(await page.textContent('body')).toContain('culprit prints');
});

test.each([
  [['nowhere.trace'], 'nowhere.trace'],
  [[smaller, 'lock.system.ts'], 'lock.system.ts'],
  [[smaller, '--port', '0'], '--port'],
])('culprit view says what is wrong with %j', (args, problem) => {
  const { code, out, err } = culprit(folder, 'view', ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(problem);
});

test('culprit hunt --view shows the finding, and then how it shrinks', async () => {
  const { child, url } = await started('hunt', spark, ...bug, '--minimize-seconds', '60', '--view', '--out', 'live');
  const exit = ended(child);
  const { page, watched } = await blank();
  await page.goto(url);
  await page.waitForSelector('.doing.over', { timeout: 100_000 });
  expect(await page.textContent('.doing')).toBe('■ done');
  expect(await page.locator('.verdicts .verdict.violated').count()).toBe(1);
  expect(await page.locator('.shrink-curve .chart').count()).toBe(1);
  expect(await page.locator('.event .place').innerText()).toMatch(/^at cases\/spark\/\w+\.ts:\d+$/);
  expect(await exit).toBe(1);
  expect(watched.problems).toEqual([]);
});

test('culprit minimize --view shows fewer and fewer events', async () => {
  culprit(folder, 'hunt', spark, ...bug, '--no-minimize', '--out', 'long');
  const [trace = ''] = readdirSync(join(folder, 'long'));
  const { child, url } = await started('minimize', join('long', trace), '--system', spark, '--view');
  const exit = ended(child);
  const { page } = await blank();
  await page.goto(url);
  await page.waitForSelector('.row');
  const seen: number[] = [];
  const look = async (): Promise<number> =>
    seen.push(Number(await page.locator('.row').last().getAttribute('aria-setsize')));
  while ((await page.locator('.doing.over').count()) === 0) {
    await look();
    await page.waitForTimeout(50);
  }
  await look();
  expect(await exit).toBe(1);
  expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  expect(seen.at(-1)).toBeGreaterThan(0);
  expect(seen.at(-1)).toBeLessThan(readFileSync(join(folder, 'long', trace), 'utf8').split('"event":').length - 1);
});
