import { expect, test } from 'vitest';
import { segmentsOf } from './odds-segments.ts';

/** Of so many continuations so many are violated after 0, 1, 2, … events. */
const odds = (sampled: number, ...violated: readonly number[]) =>
  violated.map((count, after) => ({ after, violated: count, other: 0, unknown: 0, sampled }));

test('odds are the same as long as they differ by no more than chance might do', () => {
  expect(segmentsOf(odds(100, 20, 30, 25, 60, 65, 100))).toEqual([
    { first: 0, last: 2, share: 0.25 },
    { first: 3, last: 4, share: 0.625 },
    { first: 5, last: 5, share: 1 },
  ]);
  // The more there are, the less is chance.
  expect(segmentsOf(odds(1000, 200, 320)).map(({ share }) => share)).toEqual([0.2, 0.32]);
  expect(segmentsOf(odds(100, 20, 32)).map(({ share }) => share)).toEqual([0.26]);
});

test('what hardly differs is not worth a word, however certain it is', () => {
  expect(segmentsOf(odds(100_000, 20_000, 25_000))).toEqual([{ first: 0, last: 1, share: 0.225 }]);
});

test('where nothing was sampled there is nothing to tell', () => {
  expect(segmentsOf([])).toEqual([]);
});
