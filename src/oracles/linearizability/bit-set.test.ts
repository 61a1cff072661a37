import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BitSet } from './bit-set.ts';

const SIZE = 80;

/** Adds and deletes numbers in random order, with runs in between that fill whole words. */
const changes = fc.array(fc.tuple(fc.boolean(), fc.nat(SIZE - 1), fc.constantFrom(1, 1, 20)), { maxLength: 30 });

function changed(by: readonly [add: boolean, from: number, length: number][]): { bits: BitSet; plain: Set<number> } {
  const bits = new BitSet(SIZE);
  const plain = new Set<number>();
  for (const [add, from, length] of by) {
    for (let number = from; number < Math.min(SIZE, from + length); number++) {
      if (add) bits.add(number);
      else bits.delete(number);
      if (add) plain.add(number);
      else plain.delete(number);
    }
  }
  return { bits, plain };
}

/** The same numbers, added in ascending order: an equal set must have the same text, however it was built. */
function inOrder(numbers: ReadonlySet<number>): BitSet {
  const bits = new BitSet(SIZE);
  for (let number = 0; number < SIZE; number++) if (numbers.has(number)) bits.add(number);
  return bits;
}

const listed = (numbers: ReadonlySet<number>): string => [...numbers].sort((a, b) => a - b).join();

test('contains the numbers that were added and not deleted', () => {
  fc.assert(
    fc.property(changes, (by) => {
      const { bits, plain } = changed(by);
      expect(Array.from({ length: SIZE }, (_, number) => bits.has(number))).toEqual(
        Array.from({ length: SIZE }, (_, number) => plain.has(number)),
      );
    }),
    { seed: 1 },
  );
});

test('has the same text as an equal set, and no text that begins another', () => {
  fc.assert(
    fc.property(changes, changes, (one, two) => {
      const [a, b] = [changed(one), changed(two)];
      expect(a.bits.text()).toBe(inOrder(a.plain).text());
      const equal = listed(a.plain) === listed(b.plain);
      expect(a.bits.text().startsWith(b.bits.text())).toBe(equal);
    }),
    { seed: 1 },
  );
});

test('has a short text, however much was added before', () => {
  const bits = new BitSet(100_000);
  for (let number = 0; number < 99_990; number++) bits.add(number);
  expect(bits.text().length).toBeLessThan(8);
});
