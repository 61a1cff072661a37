import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loopsOf, type Loop } from './loops.ts';

const found = (text: string): string[] =>
  loopsOf(text.split('')).map(({ first, last, period }) => `${first}-${last} of ${period}`);

test.each([
  ['', []],
  ['abcdef', []],
  ['aaa', []],
  ['aaaa', ['0-3 of 1']],
  ['xababababy', ['1-8 of 2']],
  ['abcabcabcab', []],
  ['abcabcabcabcab', ['0-11 of 3']],
  ['aaaabbbb', ['0-3 of 1', '4-7 of 1']],
])('the repetitions in %j', (text, loops) => expect(found(text)).toEqual(loops));

test('every repetition is one, and none is left between them, in random texts', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }), (shapes) => {
      const loops = loopsOf(shapes);
      let end = 0;
      for (const { first, last, period } of loops) {
        expect(first).toBeGreaterThanOrEqual(end);
        end = last + 1;
        const rounds = (end - first) / period;
        const round = shapes.slice(first, first + period);
        expect(shapes.slice(first, end)).toEqual(Array.from({ length: rounds }, () => round).flat());
        expect(rounds).toBeGreaterThanOrEqual(4);
      }
      expect(overlooked(shapes, loops)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

/** The slow twin: every place from which something happens four times, without being part of a repetition. */
function overlooked(shapes: readonly string[], loops: readonly Loop[]): number[] {
  const isCovered = (at: number): boolean => loops.some(({ first, last }) => first <= at && at <= last);
  return shapes.flatMap((_, first) => {
    const periods = Array.from({ length: Math.floor((shapes.length - first) / 4) }, (_shape, at) => at + 1);
    const isLeft = periods.some((period) => {
      const round = shapes.slice(first, first + period).join('');
      const isLoop = shapes.slice(first, first + 4 * period).join('') === round.repeat(4);
      return isLoop && !isCovered(first) && !isCovered(first + 4 * period - 1);
    });
    return isLeft ? first : [];
  });
}
