import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges, changesBetween, fromPortable, NOTHING, toPortable } from 'culprit/trace';

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
