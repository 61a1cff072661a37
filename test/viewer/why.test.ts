import { describe, expect, test } from 'vitest';
import { exhibitOf } from 'culprit/report';
import type { Counterfactual, Trace, Why } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import { here, open, openTrace, press, withBrowser } from './browser.ts';

withBrowser();

const locked = await found(lock);
const race: Counterfactual = {
  change: 'earlier',
  event: 10,
  before: 9,
  outcome: 'holds',
  absent: [],
  what: 'Had 10 come before 9, it holds.',
};
const why: Why = {
  oracle: 'mutualExclusion',
  answer: 'Because 9 came before 10.',
  counterfactuals: [
    { change: 'without', event: 8, outcome: 'violated', absent: [], what: 'Without 8 it is violated all the same.' },
    { change: 'without', event: 7, outcome: 'holds', absent: [9], what: 'Without 7 it holds.' },
    { change: 'earlier', event: 7, before: 1, outcome: 'impossible', absent: [], what: 'Had 7 come before 1.' },
    race,
  ],
  race,
  odds: locked.events.map(({ event }) => {
    return { after: event, violated: Math.min(20, event * 2), other: 0, unknown: 1, sampled: 20 };
  }),
  sampling: { continuations: 20, seed: 0, how: 'at random' },
  noReturn: 10,
  limits: ['Pairs were not tried.'],
};
const explained = exhibitOf([{ file: 'lock.trace', trace: locked }], { why });

describe('why', () => {
  test('leads from a counterfactual to its events', async () => {
    const page = await open(explained);
    const table = page.getByRole('region', { name: 'Why' });
    const shown = async (): Promise<string[]> =>
      (await table.locator('.alternative:visible').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    const first = [
      '✓ Had 10 come before 9, it holds.',
      'needed event 7: without it, the violation does not happen',
      'no matter event 8: without it, the violation still happens',
    ];
    expect(await shown()).toEqual(first);
    await table.getByText('all 3 changes').click();
    expect(await shown()).toEqual([
      ...first,
      '✓ Without 7 it holds.',
      '✓ Had 10 come before 9, it holds.',
      '✗ Without 8 it is violated all the same.',
    ]);
    expect(await table.innerText()).toContain('Because 9 came before 10.');
    expect(await table.innerText()).toContain('Pairs were not tried.');
    await table.locator('.race').click();
    expect(await here(page)).toMatch(/^10 /);
    expect(await page.locator('.diagram rect.marked').count()).toBe(2);
    const marked = await page
      .locator('.row', { has: page.locator('.sign', { hasText: '◆' }) })
      .locator('.number')
      .allInnerTexts();
    expect(marked).toEqual(['9', '10']);
    await table.locator('.race').click();
    expect(await page.locator('.diagram rect.marked').count()).toBe(0);
    await table.getByText('Without 7 it holds.').click();
    expect(await page.locator('.diagram rect.marked').count()).toBe(1);
    expect(await here(page)).toMatch(/^7 /);
  });

  test('shows along the rows how likely the violation became, and the point of no return', async () => {
    const page = await open(explained);
    expect(await page.locator('.odds text').allTextContents()).toEqual(
      locked.events.map(({ event }) => `${Math.min(100, event * 10)}%`),
    );
    expect(await page.locator('.odds .no-return').count()).toBe(1);
    await page.getByText('all 3 changes').click();
    expect(await page.locator('.chart figcaption').innerText()).toContain('11 continuations have an unknown verdict');
    await press(page, 'Home');
    await page.getByRole('button', { name: 'No return after event 10' }).click();
    expect(await here(page)).toMatch(/^10 /);
  });

  test('comes before the event and the states, and in at most five lines', async () => {
    const without = why.counterfactuals[0] as Counterfactual;
    const many = Array.from({ length: 9 }, (_, at) => ({
      ...race,
      event: 2 + at,
      before: 1,
      what: `Had ${at + 2} come before 1, it holds.`,
    }));
    const page = await open(
      exhibitOf([{ file: 'x', trace: locked }], { why: { ...why, counterfactuals: [without, ...many] } }),
    );
    const sections = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.panel section')].map((section) => section.ariaLabel)`,
    );
    expect(sections.slice(0, 4)).toEqual(['Verdict', 'Why', 'Event', 'States']);
    expect(await page.locator('.reason').count()).toBe(5);
    await page.locator('.reason').first().click();
    expect(await here(page)).toMatch(/^8 /);
  });

  test('is not shown without an answer', async () => {
    const page = await openTrace(locked);
    expect(await page.getByRole('region', { name: 'Why' }).count()).toBe(0);
    expect(await page.locator('.odds').count()).toBe(0);
  });
});

test('the shrink curve of a minimization is a chart, if the file has it', async () => {
  const minimized = { from: '0'.repeat(16), events: 212, externals: 3, schedules: 162, passes: ['drop'] };
  const shrunk = (more: object): Trace => ({
    ...locked,
    header: { ...locked.header, minimized: { ...minimized, certificate: 'shortest' as const, ...more } },
  });
  const shrinkCurve = [
    [0, 212],
    [40, 60],
    [162, 11],
  ];
  const page = await openTrace(shrunk({ shrinkCurve }));
  const panel = page.getByRole('region', { name: 'Minimized' });
  expect(await panel.innerText()).toContain('11 events, minimized from 212 in 162 schedules, shortest');
  expect(await panel.innerText()).toContain('From 212 to 11 events in 162 schedules');
  expect(await panel.locator('svg').count()).toBe(1);
  const without = await openTrace(shrunk({}));
  expect(await without.getByRole('region', { name: 'Minimized' }).locator('svg').count()).toBe(0);
  expect(await (await openTrace(locked)).getByRole('region', { name: 'Minimized' }).count()).toBe(0);
});
