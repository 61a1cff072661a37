import { beforeAll, describe, expect, test } from 'vitest';
import { exhibitOf, viewerPage } from 'culprit/report';
import type { Trace } from 'culprit/trace';
import { found } from '../found.ts';
import { blank, here, press, withBrowser, written } from './browser.ts';
import crowd from './crowd.system.ts';

withBrowser();

let trace: Trace;
let address: string;
beforeAll(async () => {
  trace = await found(crowd, { executions: 1, eventsMax: 21_000 });
  address = written(viewerPage(exhibitOf([{ file: 'crowd.trace', trace }])));
});

/** Notes every task that takes more than 50 ms. */
const watchTasks = `
  window.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ['longtask'] });
`;

// Bounds are for a busy machine; an idle one takes a fraction of it.
describe('20,000 events', () => {
  test('are shown soon', async () => {
    const { page } = await blank();
    await page.goto(address);
    await page.waitForSelector('.row');
    // The browser reports the first paint a moment after it.
    const painted = await page.waitForFunction(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`);
    const paint = (await painted.jsonValue()) as number;
    expect(trace.events).toHaveLength(20_000);
    expect(paint).toBeLessThan(8_000);
    expect(await here(page)).toMatch(/^20000 /);
  });

  test('have few rows in the page, at any position', async () => {
    const { page } = await blank();
    await page.goto(address);
    await page.waitForSelector('.row');
    for (const keys of [['f'], ['Home'], ['PageDown', 'PageDown'], ['End']]) {
      await press(page, ...keys);
      // The rows are drawn with the next frame, which a busy machine may delay.
      await page.waitForSelector('.row.here');
      expect(await page.locator('.row').count()).toBeLessThan(100);
      expect(await page.locator('.diagram *').count()).toBeLessThan(1_500);
      expect(await page.locator('.row.here').count()).toBe(1);
    }
  });

  test('are scrolled through without long pauses', async () => {
    const { page } = await blank();
    await page.addInitScript(watchTasks);
    await page.goto(`${address}#1`);
    await page.waitForSelector('.row');
    await press(page, 'f');
    await page.waitForTimeout(500);
    await page.evaluate('tasks.length = 0');
    // As a wheel does, 120 pixels at a time.
    const frames = (await page.evaluate(`(async () => {
      const box = document.querySelector('.scroller');
      for (let at = 0; at < 120; at++) {
        box.scrollTop += 120;
        await new Promise(requestAnimationFrame);
      }
      return box.scrollTop;
    })()`)) as number;
    expect(frames).toBe(120 * 120);
    const tasks = (await page.evaluate('tasks')) as number[];
    // Making all rows again would take seconds.
    expect(Math.max(0, ...tasks)).toBeLessThan(1_500);
    const numbers = (await page.locator('.row .number').allInnerTexts()).map(Number);
    expect(Math.min(...numbers)).toBeLessThanOrEqual(601);
    expect(Math.max(...numbers)).toBeGreaterThanOrEqual(601 + 30);
  });

  test('have their states at any event', async () => {
    const { page } = await blank();
    const at =
      trace.events.findIndex(
        ({ changes }, event) => event > 15_000 && changes?.some(([pointer]) => pointer === '/heard'),
      ) + 1;
    await page.goto(`${address}#${at}`);
    await page.waitForSelector('.row');
    await page.waitForSelector('.states[aria-busy=false]');
    const line = trace.events[at - 1];
    const heard = line?.changes?.find(([pointer]) => pointer === '/heard')?.[2];
    const own = page.locator('.state.here');
    expect(await own.locator('h3').innerText()).toContain(line?.process as string);
    expect(await own.innerText()).toContain(`heard: ${String(heard)}`);
    expect(await page.locator('.state').count()).toBe(8);
  });

  test('have an overview, with the violation, the cursor and faults, that leads anywhere', async () => {
    const { page } = await blank();
    await page.goto(address);
    const map = page.getByRole('img', { name: 'Overview of all events' });
    await map.waitFor();
    const marks = async (name: string): Promise<number> =>
      ((await map.locator(`.${name}`).first().getAttribute('d')) ?? '').split('M').length - 1;
    expect(await marks('violation')).toBe(1);
    expect(await marks('cursor')).toBe(1);
    expect(await marks('fault')).toBeGreaterThan(0);
    const { x = 0, y = 0, width = 0, height = 0 } = (await map.boundingBox()) ?? {};
    await page.mouse.click(x + width / 2, y + height / 2);
    const [event] = (await here(page)).split(' ');
    expect(Math.abs(Number(event) - 10_000)).toBeLessThan(100);
  });

  test('fold irrelevant stretches', async () => {
    const { page } = await blank();
    await page.goto(address);
    await page.waitForSelector('.row');
    const rows = Number(await page.getByRole('option').first().getAttribute('aria-setsize'));
    expect(rows).toBeLessThan(19_000);
    expect(await page.locator('.row.fold').count()).toBeGreaterThan(0);
  });
});
