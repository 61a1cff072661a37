import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from 'culprit/kernel';
import { applyChanges, changesBetween, fromPortable, NOTHING, toPortable } from 'culprit/trace';
import { slowChanges } from '../twins/changes.ts';
import { randomData } from '../twins/random-data.ts';

/** Anything a state may hold, with keys and values that look like our own marks. */
const plainData = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.bigInt(), fc.constantFrom(null, undefined, -0)),
    fc.array(tie('data'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(
        fc.string({ maxLength: 3 }),
        fc.constantFrom('$map', '$set', '$undefined', 'a/b', 'a~b', '__proto__', 'length'),
      ),
      tie('data'),
      { maxKeys: 4 },
    ),
    fc.array(tie('data'), { maxLength: 3 }).map((members) => new Set(members)),
    fc.array(fc.tuple(tie('data'), tie('data')), { maxLength: 3 }).map((entries) => new Map(entries)),
  ),
})).data;

/** As a network or a disk would return it: fields that are undefined are left out. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (value instanceof Map)
    return new Map([...value].map(([key, inner]) => [withoutUndefined(key), withoutUndefined(inner)]));
  if (value instanceof Set) return new Set([...value].map(withoutUndefined));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([key, field]) => [key, withoutUndefined(field)]),
  );
}

test('plain data survives being written as JSON and read back', () => {
  fc.assert(
    fc.property(plainData, (data) => {
      const text = JSON.stringify(toPortable(data, 'it'));
      expect(fromPortable(JSON.parse(text))).toEqual(withoutUndefined(data));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('equal data has equal text, for any order of its keys', () => {
  expect(JSON.stringify(toPortable({ b: 1, a: { d: 2, c: 3 } }, 'it'))).toBe('{"a":{"c":3,"d":2},"b":1}');
});

test('plain data of another context is plain data, and a class there is not', () => {
  const text = "({ map: new Map([['a', new Set([1])]]), list: [{ deep: { er: 1 } }] })";
  const data: unknown = runInNewContext(text);
  expect(Object.getPrototypeOf(data)).not.toBe(Object.prototype);
  expect(toPortable(data, 'it')).toEqual({
    map: { $map: [['a', { $set: [1] }]] },
    list: [{ deep: { er: 1 } }],
  });
  for (const odd of ['new (class Odd {})()', 'new Date(0)', '/odd/']) {
    expect(() => toPortable(runInNewContext(odd), 'it')).toThrow('which is not plain data');
  }
});

test('changes lead from one state to the next', () => {
  fc.assert(
    fc.property(plainData, plainData, (one, two) => {
      const [before, after] = [toPortable(one, 'it'), toPortable(two, 'it')];
      expect(applyChanges(before, changesBetween(before, after))).toEqual(after);
    }),
    { seed: 1, numRuns: 500 },
  );
});

function editedPairs(pairs: readonly [unknown, unknown][], random: Random): unknown[] {
  const left = pairs.filter(() => random.below(6) > 0).map(([key, value]) => [key, edited(value, random)]);
  return random.below(4) === 0 ? left.toReversed() : left;
}

/** The same data with some parts changed, removed or added. */
function edited(value: unknown, random: Random): unknown {
  if (random.below(8) === 0) return random.below(3);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value)
    .filter(() => random.below(6) > 0)
    .map(([key, part]): [string, unknown] => [key, edited(part, random)]);
  if (Array.isArray(value)) return [...parts.map(([, part]) => part), ...(random.below(4) === 0 ? [[7]] : [])];
  if ('$map' in value) return { $map: editedPairs(value.$map as [unknown, unknown][], random) };
  // Any other mark stays whole, or it would be no portable data.
  const isMark = Object.keys(value).some((key) => key.startsWith('$'));
  return isMark
    ? structuredClone(value)
    : Object.fromEntries([...parts, ...(random.below(4) === 0 ? [['~/', 1]] : [])]);
}

test('changes are those of a comparison of all parts', () => {
  let changed = 0;
  for (let seed = 0; seed < 1_000; seed++) {
    const before = toPortable(randomData(seed, 24), 'it');
    const after = edited(before, Random.seeded(seed, 1));
    const changes = changesBetween(before, after);
    expect(changes, `seed ${seed}`).toEqual(slowChanges(before, after));
    changed += changes.length;
  }
  expect(changed).toBe(676);
});

test('changes go as deep as they can', () => {
  const before = { role: 'follower', log: [{ term: 1 }, { term: 1 }], votes: { $set: ['a'] } };
  const after = { role: 'leader', log: [{ term: 1 }, { term: 2 }, { term: 2 }], votes: { $set: ['a', 'b'] } };
  expect(changesBetween(before, after)).toEqual([
    ['/role', 'follower', 'leader'],
    ['/log/1/term', 1, 2],
    ['/log/2', NOTHING, { term: 2 }],
    ['/votes', { $set: ['a'] }, { $set: ['a', 'b'] }],
  ]);
});
