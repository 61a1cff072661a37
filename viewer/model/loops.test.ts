import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loopsOf } from './loops.ts';

const found = (text: string): string[] =>
  loopsOf([...text]).map(({ first, last, period }) => `${first}-${last} of ${period}`);

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
      // The slow twin: nothing in between repeats itself four times.
      const covered = new Set(
        loops.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at)),
      );
      for (let first = 0; first < shapes.length; first++)
        for (let period = 1; first + 4 * period <= shapes.length && period <= 24; period++) {
          const round = shapes.slice(first, first + period).join('');
          const isLoop = shapes.slice(first, first + 4 * period).join('') === round.repeat(4);
          if (isLoop) expect(covered.has(first) || covered.has(first + 4 * period - 1)).toBe(true);
        }
    }),
    { numRuns: 200 },
  );
});
