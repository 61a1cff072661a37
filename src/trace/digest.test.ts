import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hex, parseHex } from './digest.ts';

/** Slow and obvious. */
const digitsOf = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

test('sixteen digits stand for a digest, which can be read from them', () => {
  fc.assert(
    fc.property(word, word, (hi, lo) => {
      expect(hex({ hi, lo })).toBe(digitsOf(hi) + digitsOf(lo));
      expect(parseHex(hex({ hi, lo }))).toEqual({ hi, lo });
    }),
    { seed: 1, numRuns: 300 },
  );
});
