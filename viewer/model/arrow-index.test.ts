import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passing } from '../../test/twins/passing.ts';
import { ArrowIndex } from './arrow-index.ts';
import type { Arrow } from './arrows.ts';

const arrow = fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]): Arrow => {
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  return { from, to, sender: 'a', receiver: 'b', fate: 'delivered', count: 1 };
});
const ends = ({ from, to }: Arrow): string => `${from}-${to}`;

test('finds the same arrows as a scan of all of them', () => {
  fc.assert(
    fc.property(fc.array(arrow, { maxLength: 60 }), fc.nat(60), fc.nat(20), fc.nat(10), (arrows, first, span, max) => {
      const index = new ArrowIndex(arrows);
      const expected = passing(arrows, first, first + span).map(ends);
      expect(index.passing(first, first + span, Number.POSITIVE_INFINITY).map(ends)).toEqual(expected);
      expect(index.passing(first, first + span, max).map(ends)).toEqual(expected.slice(0, max));
      const touching = arrows.filter(({ from, to }) => from === first || to === first);
      expect(index.at(first).map(ends).toSorted()).toEqual(touching.map(ends).toSorted());
    }),
    { seed: 1, numRuns: 500 },
  );
});
