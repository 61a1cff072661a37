import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportTrace } from 'culprit/report';
import { readTrace } from 'culprit/trace';
import { culprit, makeFolder, removeFolder } from '../cli/culprit.ts';
import { blank, press, withBrowser, written, type Watched } from './browser.ts';
import type { Page } from 'playwright-core';
import { payment } from '../payment.ts';

withBrowser();

let folder: string;
let path: string;

beforeAll(() => {
  folder = makeFolder();
  writeFileSync(join(folder, 'payment.ts'), payment);
  path = /^replay .*replay (.*)$/m.exec(culprit(folder, 'hunt', 'payment.ts').out)?.[1] as string;
});

afterAll(() => removeFolder(folder));

async function opened(address: string): Promise<{ page: Page; watched: Watched }> {
  const { page, watched } = await blank();
  await page.goto(address);
  await page.waitForSelector('.row');
  return { page, watched };
}

test('an exception has its places beside the verdict, and each event that of its handler', async () => {
  culprit(folder, 'export', path, '--to', 'html', '--why', '--out', 'page.html');
  const address = pathToFileURL(join(folder, 'page.html')).href;
  const { page, watched } = await opened(address);
  const thrown = page.getByRole('list', { name: 'Location of the throw' });
  expect(await thrown.getByRole('listitem').allInnerTexts()).toEqual(['at payment.ts:4:25', 'at payment.ts:10:5']);
  const place = page.locator('.event .place');
  expect(await place.innerText()).toBe('at payment.ts:9');
  expect(await place.isVisible()).toBe(true);
  // A message of the environment has no handler, and the verdict is at the last event.
  await press(page, 'ArrowUp');
  expect([await place.count(), await thrown.count()]).toEqual([0, 0]);
  await press(page, 'ArrowUp');
  expect(await place.innerText()).toBe('at payment.ts:8');
  expect(watched).toEqual({ requests: [address], dialogs: [], problems: [] });
});

test('from the file alone, the page has the places of the exception and none of handlers', async () => {
  const trace = readTrace(readFileSync(join(folder, path), 'utf8'), path);
  const { page } = await opened(written(exportTrace(trace, 'html')));
  expect(await page.locator('.witness .places li').allInnerTexts()).toHaveLength(2);
  expect(await page.locator('.event .place').count()).toBe(0);
});
