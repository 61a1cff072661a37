import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { Causality, eventOf } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import { here, openTrace, press, withBrowser } from './browser.ts';

withBrowser();

// The lock of the README: 11 events, of which the last one breaks it.
const locked = await found(lock);
const words = (event: number): string => {
  const { process } = locked.events[event - 1] ?? {};
  return `${event} ${process}`;
};

describe('stepping', () => {
  test('begins at the violation, and follows keys', async () => {
    const page = await openTrace(locked);
    const steps: [key: string, event: number][] = [
      ['ArrowDown', 11],
      ['ArrowUp', 10],
      ['k', 9],
      ['j', 10],
      ['Home', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
      ['n', 5],
      ['n', 8],
      ['p', 5],
      ['End', 11],
    ];
    expect(await here(page)).toContain(words(11));
    for (const [key, event] of steps) {
      await press(page, key);
      expect(`${key}: ${await here(page)}`).toContain(`${key}: ${words(event)}`);
    }
  });

  test('follows clicks: in the list, in the diagram, on a cause', async () => {
    const page = await openTrace(locked);
    await page.locator('.row', { hasText: 'timer enough fires' }).locator('.what').click();
    expect(await here(page)).toContain(words(7));
    const fifth = await page.locator('.row').nth(4).boundingBox();
    // Beside the line of the last process, where no message passes.
    await page.mouse.click((fifth?.x ?? 0) + (fifth?.width ?? 0) - 4, (fifth?.y ?? 0) + 12);
    expect(await here(page)).toContain(words(5));
    await press(page, 'End');
    await page.getByRole('button', { name: 'because of' }).click();
    expect(await here(page)).toContain(words(locked.events[10]?.cause ?? 0));
  });

  test('keeps the cursor in the address, and follows an address', async () => {
    const page = await openTrace(locked, '#7');
    expect(await here(page)).toContain(words(7));
    await press(page, 'ArrowUp');
    await expect.poll(() => new URL(page.url()).hash).toBe('#6');
    await page.evaluate('location.hash = "#3"');
    await expect.poll(() => here(page)).toContain(words(3));
  });

  test('with an invalid address, begins as without one', async () => {
    for (const hash of ['#<b>', '#b3', '#0', '#99']) {
      const page = await openTrace(locked, hash);
      expect(`${hash}: ${await here(page)}`).toContain(`${hash}: ${words(hash === '#0' ? 1 : 11)}`);
    }
  });
});

describe('the event at the cursor', () => {
  const states = (page: Page): Promise<string[]> => page.locator('.state').allInnerTexts();
  const flat = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll(/\s+/g, ' '));

  test('is shown with the state of every process, and the latest change', async () => {
    const page = await openTrace(locked, '#4');
    expect(flat(await states(page))).toEqual([
      'client-3 phase: waiting',
      'lock holder: null',
      'client-1 phase: waiting',
      'client-2 phase: waiting',
    ]);
    await press(page, 'ArrowDown');
    const holder = (locked.events[4] as { from: string }).from;
    expect(flat(await states(page))[0]).toBe(`lock holder: ${holder} was null`);
    expect(flat(await page.locator('.data .changed').allInnerTexts())).toEqual([`holder: ${holder} was null`]);
    await press(page, 'Home');
    expect(flat(await states(page))).toEqual(['lock holder: null']);
    expect(await page.locator('.states .hint').innerText()).toBe('not started: client-1, client-2, client-3');
  });

  test('has its past and its future marked, and nothing else', async () => {
    const page = await openTrace(locked, '#9');
    const causality = new Causality(locked.events.map(eventOf));
    const expected = locked.events.map((_, at) => {
      if (at === 10) return '✗';
      return causality.happensBefore(at, 8) ? '↑' : causality.happensBefore(8, at) ? '↓' : '';
    });
    expect(await page.locator('.row .sign').allInnerTexts()).toEqual(expected);
    expect(expected).toContain('↓');
    const pale = expected.filter((sign, at) => sign === '' && at !== 8).length;
    expect(await page.locator('.cell.concurrent').count()).toBe(pale);
    expect(await page.locator('.mark.concurrent').count()).toBe(pale);
    expect(pale).toBeGreaterThan(0);
  });

  test('shows the violation with its witness', async () => {
    const page = await openTrace(locked);
    const { message, oracle } = locked.verdict as { message: string; oracle: string };
    const witness = page.getByRole('region', { name: 'Verdict' });
    expect(flat([await witness.innerText()])[0]).toContain(`✗ ${oracle} ${message}`);
    await press(page, 'ArrowUp');
    expect(await witness.count()).toBe(0);
    await page.getByRole('button', { name: `✗ ${oracle}` }).click();
    expect(await witness.count()).toBe(1);
  });
});

describe('a reader who does not see the page', () => {
  test('hears the event, and which row of how many it is', async () => {
    const page = await openTrace(locked, '#5');
    const list = page.getByRole('listbox', { name: 'Events' });
    const active = await list.getAttribute('aria-activedescendant');
    const row = page.locator(`#${active}`);
    expect(await row.getAttribute('aria-selected')).toBe('true');
    expect([await row.getAttribute('aria-posinset'), await row.getAttribute('aria-setsize')]).toEqual(['5', '11']);
    expect(await page.locator('[aria-live]').innerText()).toMatch(
      /^5, lock gets acquire from client-\d\. holder: null → /,
    );
    expect(await page.getByRole('option').count()).toBe(11);
    await press(page, 'End');
    expect(await page.locator('[aria-live]').innerText()).toContain('The violation is here.');
  });

  test('reaches the list and every switch with the Tab key, and sees the focus', async () => {
    const page = await openTrace(locked);
    const stops: string[] = [];
    for (let stop = 0; stop < 14; stop++) {
      await press(page, 'Tab');
      stops.push(
        await page.evaluate<string>(
          `(() => { const e = document.activeElement; return (e.getAttribute('aria-label') ?? e.textContent) + ' ' + getComputedStyle(e).outlineStyle })()`,
        ),
      );
    }
    const seen = stops.filter((stop) => stop.endsWith('solid')).join('\n');
    for (const name of ['Search events', 'Filter', 'Causal only', 'Light or dark', 'Help', 'Events']) {
      expect(seen).toContain(name);
    }
  });

  test('finds help with a key', async () => {
    const page = await openTrace(locked);
    await press(page, '?');
    const help = page.getByRole('dialog', { name: 'Keys and shapes' });
    expect(await help.innerText()).toContain('a process crashes');
    await press(page, 'Home', 'Escape');
    expect(await help.count()).toBe(0);
    expect(await here(page)).toContain(words(11));
  });
});
