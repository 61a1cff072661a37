import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withCommas } from './with-commas.ts';

test('numbers are written as in English', () => {
  expect([0, 999, 1_000, -1_234_567].map(withCommas)).toEqual(['0', '999', '1,000', '-1,234,567']);
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      expect(withCommas(count)).toBe(count.toLocaleString('en'));
    }),
    { seed: 1 },
  );
});
