import { expect, test } from 'vitest';
import { noReturnIn, turnIn } from './point-of-no-return.ts';

/** Of a hundred continuations so many are violated after 0, 1, 2, … events. */
const odds = (...violated: readonly number[]) =>
  violated.map((count, after) => ({ after, violated: count, other: 0, unknown: 0, sampled: 100 }));

test('there is no return where nearly all are violated from then on', () => {
  expect(noReturnIn(odds(0, 20, 95, 94, 96, 100))).toBe(4);
  expect(noReturnIn(odds(0, 20, 95, 98, 100))).toBe(2);
  expect(noReturnIn(odds(99, 100))).toBe(0);
  expect(noReturnIn(odds(0, 0, 100))).toBe(2);
  expect(noReturnIn([])).toBeUndefined();
});

test('the turn is the steepest rise before the end, the first of equals, and no mere chance', () => {
  expect(turnIn(odds(0, 20, 50, 80, 100))).toBe(2);
  expect(turnIn(odds(0, 30, 0, 30, 100))).toBe(1);
  expect(turnIn(odds(0, 5, 9, 100))).toBeUndefined();
  // As it may come out where it is 24 of 100 everywhere.
  expect(turnIn(odds(26, 16, 29, 32, 20, 22, 24, 31, 100))).toBeUndefined();
  expect(turnIn(odds(26, 16, 29, 32, 20, 40, 44, 41, 100))).toBe(5);
  expect(turnIn([])).toBeUndefined();
});
