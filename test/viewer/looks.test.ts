import { mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { readTrace } from 'culprit/trace';
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

const raft = readTrace(readFileSync('cases/raft/best/raft-45.trace', 'utf8'), 'raft-45.trace');
const network = readTrace(readFileSync('cases/networks/04-migration-blackhole/best/mcs.trace', 'utf8'), 'mcs.trace');

/** What does not fit into its place: texts of rows, names of processes, and the page in its window. */
const cut = `(() => {
  const isCut = (element) => element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
  const rows = [...document.querySelectorAll('.row')].filter((row) => row.scrollHeight > row.clientHeight + 1);
  const names = [...document.querySelectorAll('.cell > .who, .lane-head span')].filter(isCut);
  const wide = document.documentElement.scrollWidth > innerWidth ? [document.body] : [];
  return [...rows, ...names, ...wide].map((element) => element.textContent.slice(0, 80));
})()`;

test.each([
  ['Raft', raft],
  ['a network', network],
] as const)('%s: nothing is cut at any width', async (name, trace) => {
  const page = await openTrace(trace);
  for (const width of [1_300, 800, 400]) {
    await page.setViewportSize({ width, height: 900 });
    // The sheet is laid out again with the next frame.
    await expect.poll(() => page.evaluate(cut)).toEqual([]);
    expect(await page.locator('.row .what').count()).toBeGreaterThan(10);
    await picture(page, `${name} ${width}`);
  }
});

test('a minimized execution is shown whole: nothing is pale until the reader moves', async () => {
  const page = await openTrace(raft);
  expect(await page.locator('.row').count()).toBe(raft.events.length);
  const pale = page.locator('.cell.concurrent, .mark.concurrent, .arrow.concurrent');
  expect(await pale.count()).toBe(0);
  await press(page, 'ArrowUp');
  expect(await pale.count()).toBeGreaterThan(0);
  // Two nodes have become leader, and what led to either one led to the violation.
  await press(page, 'v');
  expect(await page.locator('.cell.concurrent').count()).toBe(0);
});

/** The texts with less contrast than 4.5 to 1 to what is behind them. */
const lowContrast = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const paint = (colors) => {
    context.clearRect(0, 0, 1, 1);
    for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const colors = [];
    for (let at = element; at !== null; at = at.parentElement) colors.unshift(getComputedStyle(at).backgroundColor);
    return colors;
  };
  const found = [];
  const texts = document.createTreeWalker(document.getElementById('page'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: element, textContent } = texts.currentNode;
    if (textContent.trim() === '' || element.closest('svg, dialog, .spoken, :disabled') !== null) continue;
    if (!element.checkVisibility()) continue;
    const colors = behind(element);
    const [one, other] = [light(paint(colors)), light(paint([...colors, getComputedStyle(element).color]))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) found.push(ratio.toFixed(2) + ' ' + element.className + ': ' + textContent.slice(0, 40));
  }
  return [...new Set(found)];
})()`;

test.each(['light', 'dark'] as const)('every text of the %s page has enough contrast', async (colorScheme) => {
  const page = await openTrace(network, '#100', { colorScheme });
  expect(await page.locator('.cell.concurrent').count()).toBeGreaterThan(0);
  expect(await page.evaluate(lowContrast)).toEqual([]);
  await page.getByRole('searchbox').fill('packet');
  await press(page, 'Enter');
  expect(await page.evaluate(lowContrast)).toEqual([]);
});

test('the marks of changes scroll with their text', async () => {
  const page = await openTrace(locked, '#5');
  const position = await page.evaluate(`getComputedStyle(document.querySelector('.data .changed')).position`);
  expect(position).toBe('relative');
});

test('the panel can be made wider, with the pointer and with keys', async () => {
  const page = await openTrace(locked);
  const width = async (): Promise<number> => (await page.locator('.panel').boundingBox())?.width ?? 0;
  const before = await width();
  const edge = page.getByRole('separator', { name: 'Width of the panel' });
  const { x = 0, y = 0 } = (await edge.boundingBox()) ?? {};
  await page.mouse.move(x + 2, y + 100);
  await page.mouse.down();
  await page.mouse.move(x - 98, y + 100, { steps: 4 });
  await page.mouse.up();
  expect(await width()).toBeGreaterThan(before + 80);
  await edge.press('ArrowRight');
  expect(await width()).toBeLessThan(before + 90);
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
