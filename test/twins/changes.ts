import { NOTHING, type Change } from 'culprit/trace';

/** The changes between two states of portable data: every part has its key, and all parts of both are compared. */
export function slowChanges(before: unknown, after: unknown, pointer = ''): Change[] {
  const [one, two] = [partsOf(before), partsOf(after)];
  if (one === undefined || two === undefined || one.shape !== two.shape || !isInOrder(one, two)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [[pointer, before, after]];
  }
  const removed = [...one.parts.keys()].filter((key) => !two.parts.has(key)).toReversed();
  return [...two.parts.keys(), ...removed].flatMap((key) =>
    slowChanges(partAt(one, key), partAt(two, key), `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

interface Whole {
  readonly shape: 'list' | 'map' | 'object';
  readonly parts: ReadonlyMap<string, unknown>;
}

function partsOf(value: unknown): Whole | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return { shape: 'list', parts: new Map(Object.entries(value)) };
  const [only, ...others] = Object.keys(value);
  if (only === undefined || others.length > 0 || !only.startsWith('$'))
    return { shape: 'object', parts: new Map(Object.entries(value)) };
  if (only !== '$map') return undefined;
  const pairs = (value as { readonly $map: readonly [unknown, unknown][] }).$map;
  const parts = new Map(pairs.map(([key, inner]) => [JSON.stringify(key), inner]));
  return parts.size === pairs.length ? { shape: 'map', parts } : undefined;
}

/** A Map keeps the order of its keys: those that stay come first, in the order they had. */
function isInOrder(one: Whole, two: Whole): boolean {
  if (one.shape !== 'map') return true;
  const kept = [...one.parts.keys()].filter((key) => two.parts.has(key));
  return kept.every((key, at) => [...two.parts.keys()][at] === key);
}

const partAt = ({ parts }: Whole, key: string): unknown => (parts.has(key) ? parts.get(key) : NOTHING);
