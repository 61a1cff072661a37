import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { culprit, makeFolder, removeFolder } from '../cli/culprit.ts';
import { blank, here, press, withBrowser } from './browser.ts';

withBrowser();

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const found = '.culprit/mutual-exclusion-8dfc.min.trace';

let folder: string;
beforeAll(() => {
  folder = makeFolder();
  culprit(folder, 'hunt', 'lock.system.ts');
});
afterAll(() => removeFolder(folder));

/** The address that `culprit view` prints. */
function viewed(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [main, 'view', found, '--no-open', ...args], { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve) => {
    let said = '';
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      const [url] = /http:\/\/\S+/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

test('a reader leaves the execution at the cursor, chooses what happens, and saves a trace that replays; commands of step work, too', async () => {
  const { page, watched } = await blank();
  await page.goto(`${await viewed()}#8`);
  await page.getByRole('button', { name: 'Branch from here' }).click();
  const branch = page.getByRole('region', { name: 'Branch' });
  // Event 8 is the last that both have.
  await expect.poll(() => here(page)).toBe('8 lock gets acquire from client-2');
  await branch.getByRole('button', { name: 'lock gets acquire from client-3' }).click();
  await expect.poll(() => here(page)).toBe('9 lock gets acquire from client-3');
  expect(await page.locator('.diagram').count()).toBe(2);
  await branch.getByRole('button', { name: 'Take back' }).click();
  await expect.poll(() => here(page)).toMatch(/^8 /);
  // The recorded order again, and the violation with it.
  for (const next of ['recorded as 9', 'recorded as 10', 'recorded as 11'])
    await branch.getByRole('button', { name: next }).click();
  await branch.getByText('client-1 and client-3 both hold the lock').waitFor();
  await branch.getByRole('button', { name: 'Save as a trace' }).click();
  const saved = /saved +(\S+)/.exec(await branch.locator('pre').innerText())?.[1] ?? '';
  expect(existsSync(join(folder, saved))).toBe(true);
  expect(culprit(folder, 'replay', saved)).toMatchObject({ code: 1 });
  await branch.getByRole('button', { name: 'Leave the branch' }).click();
  expect(await page.locator('.diagram').count()).toBe(1);
  expect([watched.dialogs, watched.problems]).toEqual([[], []]);
  // Another branch, with commands of step: a wrong one is explained.
  await press(page, 'Home', 'b');
  const command = page.getByRole('textbox', { name: 'Command' });
  await command.fill('fly to the moon');
  await command.press('Enter');
  await branch.locator('.problem', { hasText: 'fly to the moon' }).waitFor();
  await command.fill('crash lock');
  await command.press('Enter');
  await expect.poll(() => here(page)).toBe('2 lock crashes');
});

test('a page that must not run the system offers no branch', async () => {
  const { page } = await blank();
  await page.goto(await viewed('--no-why'));
  await page.waitForSelector('.row');
  expect(await page.getByRole('button', { name: 'Branch from here' }).count()).toBe(0);
  expect(culprit(folder, 'export', found, '--to', 'html', '--out', 'page.html').code).toBe(0);
  await page.goto(`file://${join(folder, 'page.html')}`);
  await page.waitForSelector('.row');
  expect(await page.getByRole('button', { name: 'Branch from here' }).count()).toBe(0);
});
