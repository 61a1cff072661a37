import { expect, test } from 'vitest';
import { windowOf } from './window.ts';

test('all rows in view are drawn, and few others, at any position', () => {
  for (const top of [0, 1, 20, 514, 20_000 - 37]) {
    const { first, last } = windowOf(top, top + 37, 20_000);
    expect(first).toBeLessThanOrEqual(top);
    expect(last).toBeGreaterThanOrEqual(Math.min(19_999, top + 37));
    expect(last - first).toBeLessThan(90);
  }
});

test('a little scrolling draws no new rows', () => {
  expect(windowOf(500, 537, 20_000)).toEqual(windowOf(501, 538, 20_000));
});

test('a few rows are all drawn, and none if there are none', () => {
  expect(windowOf(0, 10, 11)).toEqual({ first: 0, last: 10 });
  expect(windowOf(10, 10, 11).last).toBe(10);
  expect(windowOf(0, 0, 0)).toEqual({ first: 0, last: -1 });
});
