import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readTrace } from 'culprit/trace';
import { here, openTrace, press, withBrowser } from './browser.ts';

withBrowser();

// Two leaders in 40 events, with eight messages that never arrive.
const raft = readTrace(readFileSync('cases/raft/best/raft-58a.trace', 'utf8'), 'raft-58a.trace');
const tall = { viewport: { width: 1_300, height: 1_400 } };
const rows = async (page: Page): Promise<number> =>
  Number(await page.getByRole('option').first().getAttribute('aria-setsize'));
const lanes = (page: Page): Promise<string[]> => page.locator('.lane-head').allInnerTexts();

describe('messages', () => {
  test('say what they are, and lead from one end to the other', async () => {
    const page = await openTrace(raft, '', tall);
    const arrival = raft.events.findLast(({ kind, cause }) => kind === 'deliver' && cause > 0);
    const arrow = page.locator('.message', { hasText: `event ${arrival?.event}, sent in event ${arrival?.cause}` });
    expect(await arrow.locator('title').textContent()).toContain(`${arrival?.process} `);
    await press(page, 'Home');
    // Other arrows may pass over its middle: the click is sent to the line itself.
    await arrow.locator('.hit').dispatchEvent('click');
    expect(await here(page)).toMatch(new RegExp(`^${arrival?.event} `));
    await arrow.locator('.hit').dispatchEvent('click');
    expect(await here(page)).toMatch(new RegExp(`^${arrival?.cause} `));
  });

  test('that never arrived have their text in the diagram, at the end and at their sender', async () => {
    const page = await openTrace(raft, '', tall);
    const pending = raft.pending.filter(({ kind }) => kind === 'deliver');
    expect(await page.locator('.message', { hasText: 'never delivered' }).count()).toBe(pending.length);
    await page.getByText('8 messages were never delivered').click();
    const first = page.locator('.undelivered .event-link').first();
    expect(await first.innerText()).toMatch(
      new RegExp(`^${pending[0]?.process} gets .* sent in ${pending[0]?.cause}$`),
    );
    await first.click();
    expect(await here(page)).toMatch(new RegExp(`^${pending[0]?.cause} `));
    expect(await page.getByRole('list', { name: 'Never delivered' }).innerText()).toContain(
      `${pending[0]?.process} gets`,
    );
  });
});

describe('states', () => {
  test('are a tree that opens and closes', async () => {
    const page = await openTrace(raft, '#20');
    const closed = page.locator('.state .name[aria-expanded=false]').first();
    const name = await closed.innerText();
    const before = await page.locator('.state .data > div').count();
    await closed.click();
    expect(await page.locator('.state .data > div').count()).toBeGreaterThan(before);
    await page.locator('.state .name[aria-expanded=true]', { hasText: name }).first().click();
    expect(await page.locator('.state .data > div').count()).toBe(before);
  });

  test('are compared between any two events', async () => {
    const page = await openTrace(raft, '#24');
    await page.getByRole('button', { name: 'Compare this event' }).click();
    await press(page, 'End', 'ArrowUp');
    expect(await page.locator('.states').innerText()).toContain('Changes between event 24 and this one');
    const changed = new Set(
      raft.events.slice(24).flatMap(({ process, changes = [] }) => (changes.length > 0 ? process : [])),
    );
    const marked = page.locator('.state', { has: page.locator('.changed') });
    expect(await marked.count()).toBe(3);
    for (const name of await marked.locator('h3').allInnerTexts())
      expect(changed).toContain(/^node-\d/.exec(name)?.[0]);
    await press(page, 'm');
    expect(await page.locator('.states').innerText()).not.toContain('Changes between');
  });
});

describe('processes', () => {
  test('are hidden with their events, and move', async () => {
    const page = await openTrace(raft);
    const [environment, first = '', second = '', ...rest] = await lanes(page);
    await page.getByText('Filter').click();
    await page.getByTitle(`Hide ${first}: its line and its events`).click();
    expect(await lanes(page)).toEqual([environment, second, ...rest]);
    expect(await rows(page)).toBe(raft.events.filter(({ process }) => process !== first).length);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByText('Filter').click();
    await page.locator('.lane-head').nth(2).press('Shift+ArrowLeft');
    expect(await lanes(page)).toEqual([environment, second, first, ...rest]);
    await page.locator('.lane-head').nth(1).dragTo(page.locator('.lane-head').nth(0));
    expect(await lanes(page)).toEqual([second, environment, first, ...rest]);
  });
});

test('a search for a field finds its value in messages and changes, and can hide the rest', async () => {
  const page = await openTrace(raft);
  await page.getByRole('searchbox').fill('term=2');
  const text = await page.getByRole('status').innerText();
  const found = Number(/\d+/.exec(text)?.[0]);
  const holds = raft.events.filter((line) =>
    JSON.stringify([line, line.changes]).match(/"term":2\b|\/term",[^,]*,2\]/),
  );
  expect(found).toBe(holds.length);
  expect(found).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Only these' }).click();
  expect(await rows(page)).toBe(found);
});

test('a link leads to the same view', async () => {
  const page = await openTrace(raft, '#25&q=node&found=1&hide=node-3&base=5');
  const view = async (shown: Page) => [
    await rows(shown),
    await lanes(shown),
    await here(shown),
    await shown.locator('.states').innerText(),
  ];
  const before = await view(page);
  expect(await lanes(page)).not.toContain('node-3');
  await press(page, 'k', 'j', 'c', 'c');
  await expect.poll(() => new URL(page.url()).hash).toContain('hide=node-3');
  const again = await openTrace(raft, new URL(page.url()).hash);
  expect(await view(again)).toEqual(before);
});

test('the diagram is saved as a picture that needs no style sheet', async () => {
  const page = await openTrace(raft);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'SVG' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('one.svg');
  const svg = readFileSync(await download.path(), 'utf8');
  await page.setContent(svg);
  const texts = await page.locator('svg text').allTextContents();
  for (const { process } of raft.events) expect(texts.some((text) => text.startsWith(`${process} `))).toBe(true);
  expect(await page.locator('svg .glyph').count()).toBe(raft.events.length);
  expect(await page.locator('svg .glyph').first().getAttribute('stroke')).toMatch(/^rgb/);
});
