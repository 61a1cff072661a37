import { describe, expect, test } from 'vitest';
import { exhibitOf } from 'culprit/report';
import { align, type Trace } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import { here, open, press, withBrowser } from './browser.ts';

withBrowser();

const one = await found(lock);
const other = await found(lock, { seed: 5 });
const beside = (left: Trace, right: Trace) =>
  exhibitOf([
    { file: 'one.trace', trace: left },
    { file: 'other.trace', trace: right },
  ]);

describe('two executions side by side', () => {
  const { rows, divergence = -1 } = align(one, other);

  test('are aligned, and begin at the first difference, which is marked', async () => {
    const page = await open(beside(one, other));
    expect(await page.getByRole('option').count()).toBe(rows.length);
    const numbers = (side: number): Promise<string[]> =>
      page.locator(`.cell[data-side="${side}"] .number`).allInnerTexts();
    expect((await numbers(0)).map(Number).toSorted((a, b) => a - b)).toEqual(one.events.map(({ event }) => event));
    expect((await numbers(1)).map(Number).toSorted((a, b) => a - b)).toEqual(other.events.map(({ event }) => event));
    expect(divergence).toBeGreaterThanOrEqual(0);
    const marked = page.locator('.row.divergence');
    expect(await marked.getAttribute('aria-posinset')).toBe(String(divergence + 1));
    expect(await marked.getAttribute('aria-selected')).toBe('true');
    expect(await page.locator('.diagram').count()).toBe(2);
    expect(await page.locator('.verdicts .verdict').count()).toBe(2);
  });

  test('are stepped through together; the arrow keys left and right change sides; the address contains the side', async () => {
    const page = await open(beside(one, other));
    await press(page, 'Home', 'ArrowRight');
    await expect.poll(() => new URL(page.url()).hash).toBe('#b1');
    await press(page, 'ArrowLeft');
    await expect.poll(() => new URL(page.url()).hash).toBe('#1');
    expect(await here(page)).toBe('1 lock starts');
    await page.locator('.row').nth(0).locator('.cell[data-side="1"] .what').click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#b1');
  });

  test('show both states of a process if they differ, and otherwise one', async () => {
    const page = await open(beside(one, other));
    await press(page, 'Home');
    expect(await page.locator('.two').count()).toBe(0);
    await press(page, 'End');
    const pairs = await page.locator('.two').count();
    expect(pairs).toBeGreaterThan(0);
    for (let at = 0; at < pairs; at++) {
      const [left, right] = await page.locator('.two').nth(at).locator('.state').allInnerTexts();
      expect(left).not.toBe(right);
    }
  });

  test('that are equal have no difference', async () => {
    const page = await open(beside(one, one));
    expect(await page.locator('.divergence').count()).toBe(0);
    expect(await page.locator('.row:not(.how-same)').count()).toBe(0);
  });
});
