import { describe, expect, test } from 'vitest';
import { randomData } from '../../test/twins/random-data.ts';
import { Random } from 'culprit/kernel';
import { changesBetween, NOTHING } from './change.ts';
import { hex } from './digest.ts';
import { toPortable } from './json-encoding.ts';
import { stateDigest } from './state-digest.ts';
import { StateMirror } from './state-mirror.ts';

/** Looks at states one after the other, and compares each look with the changes and the digest of whole portable forms. */
class Compared {
  private readonly mirror = new StateMirror();
  private before: unknown = NOTHING;
  readonly wrong: string[] = [];

  look(state: object): void {
    const after = toPortable(state, 'the state');
    const expected = { digest: hex(stateDigest(after)), changes: changesBetween(this.before, after) };
    const { digest, changes } = this.mirror.look(state, 'the state');
    // As texts, which is faster: the order of keys counts, too.
    const [found, wanted] = [JSON.stringify({ digest, changes }), JSON.stringify(expected)];
    if (found !== wanted) this.wrong.push(`${found} instead of ${wanted}`);
    this.before = after;
  }
}

const PRIMITIVES = [0, -0, 1, 2.5, Number.NaN, '', 'a', true, null, undefined, 7n];
const KEYS = ['a', 'b', '10', '9', 'a/b', '~', '__proto__'];

/** Changes one place in a tree, in place or by putting a new object there. Now and then, an object gets into a second place. */
function disturb(state: object, random: Random): void {
  const all = objectsIn(state);
  const object = random.pick(all);
  const value = (): unknown => {
    const kind = random.below(12);
    if (kind < 6) return random.pick(PRIMITIVES);
    if (kind < 7 && random.below(8) === 0) return random.pick(all);
    return random.pick([(): unknown => [], () => ({}), () => new Map(), () => new Set([1]), () => [1, 2, { a: 1 }]])();
  };
  if (Array.isArray(object)) disturbList(object, random, value);
  else if (object instanceof Map) disturbMap(object, random, value);
  else if (object instanceof Set) object.add(random.pick(PRIMITIVES));
  else disturbFields(object as Record<string, unknown>, random, value);
}

function disturbList(list: unknown[], random: Random, value: () => unknown): void {
  const edits = [
    (): unknown => list.push(value()),
    () => list.pop(),
    () => list.shift(),
    () => list.unshift(value()),
    () => list.splice(random.below(3), 1),
    () => (list[random.below(4)] = value()),
    () => (list.length += 1),
    () => list.reverse(),
  ];
  random.pick(edits)();
}

function disturbMap(map: Map<unknown, unknown>, random: Random, value: () => unknown): void {
  const key = random.pick(PRIMITIVES);
  if (random.below(3) === 0) map.delete(key);
  // An entry that is set again moves to the end.
  if (random.below(2) === 0) map.set(key, value());
}

function disturbFields(fields: Record<string, unknown>, random: Random, value: () => unknown): void {
  const key = random.pick(KEYS);
  if (random.below(4) === 0) delete fields[key];
  else Object.defineProperty(fields, key, { value: value(), enumerable: true, configurable: true, writable: true });
}

function objectsIn(value: unknown, found = new Set<object>()): object[] {
  if (typeof value !== 'object' || value === null || found.has(value)) return [...found];
  found.add(value);
  const inner = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  for (const part of inner) objectsIn(part, found);
  return [...found];
}

describe('a mirror says what the portable forms say', () => {
  test('about states that change in place, part by part', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = Random.seeded(seed, 7);
      const state = { a: [1, { b: 2 }], b: new Map<unknown, unknown>([['k', {}]]), c: {} };
      const compared = new Compared();
      for (let at = 0; at < 30; at++) {
        compared.look(state);
        for (let count = random.below(4); count > 0; count--) disturb(state, random);
      }
      expect(compared.wrong, `seed ${seed}`).toEqual([]);
    }
  });

  test('about states that have nothing to do with each other', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const compared = new Compared();
      for (let at = 0; at < 4; at++) compared.look(randomData(4 * seed + at));
      expect(compared.wrong, `seed ${seed}`).toEqual([]);
    }
  });

  test('about objects that change places, and objects in two places', () => {
    const [one, two, three] = [{ n: 1 }, { n: 2 }, { n: 3, list: [1] }];
    const state: { queue: object[]; last: object | null; map: Map<string, object> } = {
      queue: [one, two],
      last: null,
      map: new Map(),
    };
    const compared = new Compared();
    compared.look(state);
    state.queue.reverse();
    compared.look(state);
    state.last = state.queue.shift() ?? null;
    compared.look(state);
    state.queue.push(three);
    state.map.set('three', three);
    compared.look(state);
    state.queue.pop();
    compared.look(state);
    state.map.set('state', state);
    compared.look(state);
    state.map.delete('state');
    three.list.push(2);
    compared.look(state);
    expect(compared.wrong).toEqual([]);
  });
});

test('the digest depends on the state only, not on how it came about', () => {
  const [slow, fast] = [new StateMirror(), new StateMirror()];
  const state: Record<string, unknown> = {};
  for (let n = 0; n < 50; n++) {
    state[`k${(n * 7) % 50}`] = [n];
    fast.look(state, 'it');
  }
  const other = Object.fromEntries(Object.entries(state).reverse());
  expect(fast.look(state, 'it').digest).toBe(slow.look(other, 'it').digest);
});

test('the order of the keys of a Map counts, and so does the order of a list', () => {
  const digestOf = (state: object): string => new StateMirror().look(state, 'it').digest;
  const digests = [
    {
      m: new Map([
        ['a', 1],
        ['b', 1],
      ]),
    },
    {
      m: new Map([
        ['b', 1],
        ['a', 1],
      ]),
    },
    { m: [1, 2] },
    { m: [2, 1] },
    { m: { 0: 1, 1: 2 } },
    { m: new Set([1, 2]) },
    { m: { a: 1, b: 1 } },
  ].map(digestOf);
  expect(new Set(digests).size).toBe(digests.length);
});
