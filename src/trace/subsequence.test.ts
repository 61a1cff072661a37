import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengthOfCommon } from '../../test/twins/subsequence.ts';
import { common, type Pair } from './subsequence.ts';

/** Whether both sides ascend, and each pair has equal items. */
function isCommon(pairs: readonly Pair[], left: readonly number[], right: readonly number[]): boolean {
  return pairs.every(([one, other], at) => {
    const [before, beforeOther] = pairs[at - 1] ?? [-1, -1];
    return one > before && other > beforeOther && left[one] !== undefined && left[one] === right[other];
  });
}

const lists = fc.array(fc.nat(5), { maxLength: 12 });

test('short lists: a longest common subsequence', () => {
  fc.assert(
    fc.property(lists, lists, (left, right) => {
      const pairs = common(left, right);
      expect(pairs).toHaveLength(lengthOfCommon(left.map(String), right.map(String)));
      expect(isCommon(pairs, left, right)).toBe(true);
    }),
    { seed: 6, numRuns: 500 },
  );
});

/** Three values in random order, and some that occur once. */
const long = (length: number, from: number, every: number): number[] =>
  Array.from({ length }, (_, at) =>
    (at + from) % every === 0 ? 100 + at + from : (Math.imul(at + from, 0x9e3779b1) >>> 16) % 3,
  );

test.each([
  ['the same', long(3_000, 0, 400), long(3_000, 0, 400), 3_000],
  ['one is longer', long(3_000, 0, 400), long(5_000, 0, 400), 3_000],
  ['one begins later', long(3_000, 0, 400), long(3_000, 1_700, 400), 1_300],
  ['one begins later, and nothing comes once', long(3_000, 1, 9_000), long(3_000, 300, 9_000), 2_451],
  ['what comes twice is no landmark', [7, ...long(2_000, 1, 9_000), 7], [7, ...long(2_000, 1, 9_000)], 2_001],
  ['nothing in common', long(3_000, 0, 400), long(3_000, 0, 400).map((value) => -1 - value), 0],
  ['only one has something', long(3_000, 0, 400), [], 0],
])('long lists: %s', (_how, left, right, length) => {
  const pairs = common(left, right);
  expect(isCommon(pairs, left, right)).toBe(true);
  expect(pairs).toHaveLength(length);
});
