import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import { openTrace, press, withBrowser } from './browser.ts';

withBrowser();

const locked = await found(lock);

/** Screenshots are kept for inspection. */
let pictures: string;
beforeAll(() => {
  pictures = process.env['CULPRIT_PICTURES'] ?? mkdtempSync(join(tmpdir(), 'culprit-pictures-'));
  mkdirSync(pictures, { recursive: true });
});

async function picture(page: Page, name: string): Promise<number> {
  const path = join(pictures, `${name}.png`);
  await page.screenshot({ path });
  return statSync(path).size;
}

/** The brightness of the background, from 0 to 255. */
async function paper(page: Page): Promise<number> {
  const color = (await page.evaluate(`getComputedStyle(document.body).backgroundColor`)) as string;
  return Math.max(...(color.match(/\d+/g) ?? []).slice(0, 3).map(Number));
}

test('light and dark like the operating system, and the opposite on request', async () => {
  for (const [scheme, isLight] of [
    ['light', true],
    ['dark', false],
  ] as const) {
    const page = await openTrace(locked, '#9', { colorScheme: scheme });
    expect((await paper(page)) > 128).toBe(isLight);
    expect(await picture(page, scheme)).toBeGreaterThan(10_000);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect((await paper(page)) > 128).toBe(!isLight);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect((await paper(page)) > 128).toBe(isLight);
  }
});

test('in a narrow window everything can be reached', async () => {
  const page = await openTrace(locked, '', { viewport: { width: 700, height: 900 } });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(700);
  const [list, panel] = await Promise.all(['.scroller', '.panel'].map((part) => page.locator(part).boundingBox()));
  expect(panel?.y).toBeGreaterThanOrEqual((list?.y ?? 0) + (list?.height ?? 0) - 1);
  expect(list?.height).toBeGreaterThan(200);
  await press(page, 'Home');
  expect(await page.locator('.row.here').isVisible()).toBe(true);
  expect(await picture(page, 'narrow')).toBeGreaterThan(10_000);
});
