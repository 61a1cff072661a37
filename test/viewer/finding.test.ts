import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTrace, type Trace } from 'culprit/trace';
import { found } from '../found.ts';
import everything from '../trace/everything.system.ts';
import { here, openTrace, press, withBrowser } from './browser.ts';

withBrowser();

// Has every kind of event, 400 of them.
let wide: Trace;
beforeAll(async () => {
  wide = await found(everything, { eventsMax: 2_000 });
});

const rows = async (page: Page): Promise<number> =>
  Number(await page.getByRole('option').first().getAttribute('aria-setsize'));

describe('search', () => {
  test('marks its matches and goes through them', async () => {
    const page = await openTrace(wide, '#1');
    await press(page, '/');
    await page.keyboard.type('crashes');
    const crash = wide.events.findIndex(({ kind }) => kind === 'crash') + 1;
    expect(await page.getByRole('status').innerText()).toBe('1 found');
    await press(page, 'Enter');
    expect(await here(page)).toContain(`${crash} b crashes`);
    expect(await page.getByRole('status').innerText()).toBe('1 of 1');
    await page.getByRole('searchbox').fill('tick');
    const ticks = wide.events.filter((line) => line.kind === 'fire' && line.timer === 'tick').map(({ event }) => event);
    expect(await page.getByRole('status').innerText()).toBe(`${ticks.length} found`);
    await press(page, 'Enter');
    expect(await here(page)).toContain(String(ticks.find((event) => event > crash)));
    await press(page, 'Shift+Enter');
    expect(await here(page)).toContain(String(ticks.findLast((event) => event < crash) ?? ticks.at(-1)));
    // Text in the field is no command.
    await page.getByRole('searchbox').fill('');
    await page.keyboard.type('jk');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jk');
  });
});

describe('filters', () => {
  test('by process: from the names above the lines, and from the menu', async () => {
    const page = await openTrace(wide);
    await page.getByRole('button', { name: 'Fold' }).click();
    expect(await rows(page)).toBe(wide.events.length);
    await page.locator('.lane-head', { hasText: /^b$/ }).click();
    const own = wide.events.filter(({ process }) => process === 'b').length;
    expect(await rows(page)).toBe(own);
    expect(new Set(await page.locator('.row .who').allInnerTexts())).toEqual(new Set(['b']));
    await page.getByText('Filter').click();
    expect(await page.getByRole('checkbox', { name: 'b', exact: true }).isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'a', exact: true }).click();
    expect(await rows(page)).toBe(own + wide.events.filter(({ process }) => process === 'a').length);
    await page.getByRole('button', { name: 'Show everything' }).click();
    expect(await rows(page)).toBe(wide.events.length);
  });

  test('by the type of a message and by kind', async () => {
    const page = await openTrace(wide);
    await page.getByRole('button', { name: 'Fold' }).click();
    await page.getByText('Filter').click();
    await page.locator('.choice', { hasText: /^crash/ }).click();
    expect(await rows(page)).toBe(1);
    await page.locator('.choice', { hasText: /^question/ }).click();
    const questions = wide.events.filter(
      (line) => 'message' in line && (line.message as { type: string }).type === 'question',
    ).length;
    expect(questions).toBeGreaterThan(0);
    expect(await rows(page)).toBe(1 + questions);
  });

  test('by cause: only events before and after', async () => {
    const page = await openTrace(wide, '#60');
    await page.getByRole('button', { name: 'Causal only' }).click();
    const left = await rows(page);
    expect(left).toBeLessThan(wide.events.length);
    expect(await page.locator('.cell.concurrent').count()).toBe(0);
    expect(await here(page)).toMatch(/^60 /);
    await press(page, 'c');
    expect(await page.locator('.cell.concurrent').count()).toBeGreaterThan(0);
  });
});

describe('folds', () => {
  test('hide irrelevant events, and open by a click and by Enter', async () => {
    const page = await openTrace(wide);
    const folded = await rows(page);
    expect(folded).toBeLessThan(wide.events.length);
    await press(page, 'Home');
    while ((await page.locator('.row.fold.here').count()) === 0) await press(page, 'j');
    const text = await page.locator('.row.fold.here').innerText();
    const size = Number(/(\d+) events that did not lead to it/.exec(text)?.[1]);
    await press(page, 'Enter');
    expect(await rows(page)).toBe(folded + size - 1);
    await press(page, 'f', 'f');
    expect(await rows(page)).toBe(folded);
    await page.locator('.row.fold', { hasText: text.trim() }).first().click();
    expect(await rows(page)).toBe(folded + size - 1);
    await page.getByRole('button', { name: 'Fold' }).click();
    expect(await rows(page)).toBe(wide.events.length);
    expect(await page.locator('.row.fold').count()).toBe(0);
  });

  test('open for an event in a link', async () => {
    const shut = await openTrace(wide);
    const numbers = new Set(await shut.locator('.row .number').allInnerTexts());
    const hidden = Number([...numbers].map(Number).toSorted((a, b) => a - b)[0]) + 1;
    const page = await openTrace(wide, `#${hidden}`);
    expect(await here(page)).toMatch(new RegExp(`^${hidden} `));
  });
});

test('the diagram has a shape for every kind of event, and for lost and arrived messages', async () => {
  const page = await openTrace(wide, '', { viewport: { width: 1400, height: 20_000 } });
  await press(page, 'f');
  const shapes = new Set(
    await page.evaluate<string[]>(
      `[...document.querySelectorAll('.diagram .glyph')].map((glyph) => glyph.getAttribute('d'))`,
    ),
  );
  const kinds = new Set(wide.events.map((line) => (line.kind === 'complete' ? line.operation : line.kind)));
  // Starts and spawns look alike, and so do sleeps and timeouts; a read is an unfilled write.
  const alike = [kinds.has('spawn') && kinds.has('start'), kinds.has('sleep') && kinds.has('timeout'), true];
  expect(shapes.size).toBe(kinds.size - alike.filter(Boolean).length);
  const lost = new Set(
    wide.events.flatMap(({ dropped = [] }, at) => dropped.map(({ to, cause }) => `${at} ${cause} ${to}`)),
  );
  expect(await page.locator('.arrow.lost .cross').count()).toBe(lost.size);
  expect(lost.size).toBeGreaterThan(0);
  const arrived = wide.events.filter(({ kind }) => kind === 'deliver').length;
  expect(await page.locator('.arrow.delivered, .arrow.answered').count()).toBe(arrived);
});

test('messages that were never delivered are drawn, and counted', async () => {
  const raft = readTrace(readFileSync('cases/raft/best/raft-58a.trace', 'utf8'), 'raft-58a.trace');
  const page = await openTrace(raft, '', { viewport: { width: 1400, height: 1_400 } });
  const waiting = raft.pending.filter(({ kind }) => kind === 'deliver').length;
  expect(waiting).toBe(8);
  expect(await page.locator('.arrow.pending').count()).toBe(waiting);
  expect(await page.locator('.ending').innerText()).toContain('8 messages were never delivered');
});
