import { expect, test } from 'vitest';
import { windowOf } from './window.ts';

test('all rows in view are drawn, and few others, at any position', () => {
  for (const top of [0, 1, 500, 12_345, 24 * 20_000 - 900]) {
    const { first, last } = windowOf(top, 900, 24, 20_000);
    expect(first).toBeLessThanOrEqual(Math.floor(top / 24));
    expect(last).toBeGreaterThanOrEqual(Math.min(19_999, Math.floor((top + 900) / 24)));
    expect(last - first).toBeLessThan(90);
  }
});

test('a little scrolling draws no new rows', () => {
  expect(windowOf(12_000, 900, 24, 20_000)).toEqual(windowOf(12_030, 900, 24, 20_000));
});

test('a few rows are all drawn, and none if there are none', () => {
  expect(windowOf(0, 900, 24, 11)).toEqual({ first: 0, last: 10 });
  expect(windowOf(5_000, 900, 24, 11).last).toBe(10);
  expect(windowOf(0, 900, 24, 0)).toEqual({ first: 0, last: -1 });
});
