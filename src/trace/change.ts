import { setOwn } from './plain-data.ts';
import { escaped, markOf, unescaped } from './json-encoding.ts';

/**
 * One changed place of a state: a JSON pointer to it (RFC 6901), the value before, and the value now. Values are
 * portable data, or a mark for no value. A pointer step into a Map is its key, written as JSON.
 */
export type Change = [pointer: string, before: unknown, after: unknown];

/** The mark for no value: no data is written this way, not even undefined. */
export const NOTHING: unknown = { $nothing: true };

export const isNothing = (value: unknown): boolean => markOf(value) === '$nothing';

/** All places where two states differ, as deep as possible, so that a reader sees what one event did. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const changes: Change[] = [];
  compare(undefined, before, after, changes);
  return changes;
}

/** A place in a state. Its pointer is written only where something changed: most places of a large state did not. */
interface Place {
  readonly within: Place | undefined;
  readonly key: string | number;
}

const pointerTo = (place: Place | undefined): string =>
  place === undefined ? '' : `${pointerTo(place.within)}/${escaped(String(place.key))}`;

function compare(place: Place | undefined, before: unknown, after: unknown, into: Change[]): void {
  if (before === after) return;
  const shape = shapeOf(after);
  if (shape === 'leaf' || shape !== shapeOf(before)) compareWhole(place, before, after, into);
  else if (shape === 'list') compareLists(place, before as unknown[], after as unknown[], into);
  else if (shape === 'map') compareMaps(place, before, after, into);
  else compareObjects(place, before as Fields, after as Fields, into);
}

type Fields = Readonly<Record<string, unknown>>;

function compareWhole(place: Place | undefined, before: unknown, after: unknown, into: Change[]): void {
  if (!isEqual(before, after)) into.push([pointerTo(place), before, after]);
}

function compareLists(
  within: Place | undefined,
  one: readonly unknown[],
  two: readonly unknown[],
  into: Change[],
): void {
  for (let key = 0; key < two.length; key++) {
    if (key >= one.length) into.push([pointerTo({ within, key }), NOTHING, two[key]]);
    else if (one[key] !== two[key]) compare({ within, key }, one[key], two[key], into);
  }
  // A list loses its last items first.
  for (let key = one.length - 1; key >= two.length; key--) into.push([pointerTo({ within, key }), one[key], NOTHING]);
}

function compareObjects(within: Place | undefined, one: Fields, two: Fields, into: Change[]): void {
  for (const key of Object.keys(two)) {
    if (!Object.hasOwn(one, key)) into.push([pointerTo({ within, key }), NOTHING, two[key]]);
    else if (one[key] !== two[key]) compare({ within, key }, one[key], two[key], into);
  }
  for (const key of Object.keys(one).toReversed())
    if (!Object.hasOwn(two, key)) into.push([pointerTo({ within, key }), one[key], NOTHING]);
}

function compareMaps(within: Place | undefined, before: unknown, after: unknown, into: Change[]): void {
  const [one, two] = [partsOf(before), partsOf(after)];
  if (one === undefined || two === undefined || isReordered(one, two)) {
    compareWhole(within, before, after, into);
    return;
  }
  for (const key of [...two.keys(), ...gone(one, two)]) compare({ within, key }, part(one, key), part(two, key), into);
}

/** Removed parts, in descending order. */
const gone = (one: ChangeParts, two: ChangeParts): string[] => [...one.keys()].filter((key) => !two.has(key)).reverse();

/**
 * Applies changes to a state: how a reader of a trace gets from one state to the next. Leaves the old state unchanged.
 */
export function applyChanges(before: unknown, changes: readonly Change[]): unknown {
  let state = before;
  let draft: Draft | undefined;
  for (const [pointer, , after] of changes) {
    const keys = pointer.split('/').slice(1).map(unescaped);
    if (keys.length === 0) [state, draft] = [after, undefined];
    else {
      draft ??= new Draft(state);
      draft.put(keys, 0, after);
    }
  }
  return draft === undefined ? state : draft.whole();
}

/** A part of a state that is being changed: copied once, however many changes lead into it. */
class Draft {
  private readonly shape: ChangeShape;
  private readonly parts: Map<string, unknown>;
  /** Parts of it that are being changed too. */
  private readonly drafts = new Map<string, Draft>();

  constructor(value: unknown) {
    this.shape = shapeOf(value);
    this.parts = new Map(partsOf(value));
  }

  /** The rest of the pointer starts at `from`. */
  put(keys: readonly string[], from: number, after: unknown): void {
    const key = keys[from] as string;
    if (from < keys.length - 1) {
      this.inner(key).put(keys, from + 1, after);
      return;
    }
    this.drafts.delete(key);
    if (isNothing(after)) this.parts.delete(key);
    else this.parts.set(key, after);
  }

  whole(): unknown {
    for (const [key, draft] of this.drafts) this.parts.set(key, draft.whole());
    return joined(this.shape, this.parts);
  }

  private inner(key: string): Draft {
    const known = this.drafts.get(key);
    if (known !== undefined) return known;
    const draft = new Draft(part(this.parts, key));
    this.drafts.set(key, draft);
    // From now on, a new part has its position among the others.
    if (!this.parts.has(key)) this.parts.set(key, NOTHING);
    return draft;
  }
}

/** A leaf is one value, and so is a set or any other marked value: only objects, arrays and Maps have parts. */
type ChangeShape = 'leaf' | 'list' | 'map' | 'object';

function shapeOf(value: unknown): ChangeShape {
  if (typeof value !== 'object' || value === null) return 'leaf';
  if (Array.isArray(value)) return 'list';
  const mark = markOf(value);
  return mark === undefined ? 'object' : mark === '$map' ? 'map' : 'leaf';
}

type ChangeParts = ReadonlyMap<string, unknown>;

function partsOf(value: unknown): ChangeParts | undefined {
  switch (shapeOf(value)) {
    case 'leaf':
      return undefined;
    case 'map': {
      const { $map } = value as PortableMap;
      const parts = new Map($map.map(([key, inner]) => [JSON.stringify(key), inner]));
      // Two keys that are objects may have equal contents: then keys do not identify the parts.
      return parts.size === $map.length ? parts : undefined;
    }
    default:
      return new Map(Object.entries(value as object));
  }
}

interface PortableMap {
  readonly $map: readonly (readonly [key: unknown, value: unknown])[];
}

function joined(shape: ChangeShape, parts: ChangeParts): unknown {
  if (shape === 'list') return [...parts.values()];
  if (shape === 'map') return { $map: [...parts].map(([key, inner]): [unknown, unknown] => [keyOf(key), inner]) };
  const fields: Record<string, unknown> = {};
  for (const [key, inner] of parts) setOwn(fields, key, inner);
  return fields;
}

/** A key of a Map. culprit writes keys as JSON; any other text is used unchanged. */
function keyOf(step: string): unknown {
  try {
    return JSON.parse(step);
  } catch {
    return step;
  }
}

/** Whether the keys of a Map changed their order: then changes of its parts do not describe it. */
function isReordered(one: ChangeParts, two: ChangeParts): boolean {
  const kept = [...one.keys()].filter((key) => two.has(key));
  return [...two.keys()].slice(0, kept.length).some((key, at) => key !== kept[at]);
}

const part = (parts: ChangeParts, key: string): unknown => (parts.has(key) ? parts.get(key) : NOTHING);

/**
 * Leaves out changes in which the object is the same and only its written place differs: an object in several places is
 * written at the first of them, which may appear or disappear.
 */
export function withoutMoved(all: readonly Change[]): readonly Change[] {
  if (!all.some(([, before, after]) => pointedAt(before) !== undefined || pointedAt(after) !== undefined)) return all;
  const byPlace = new Map<unknown, Change>(all.map((change) => [change[0], change]));
  return all.filter(([, before, after]) => {
    const [was, is] = [pointedAt(before), pointedAt(after)];
    if ((was === undefined) === (is === undefined)) return true;
    const there = byPlace.get(was ?? is);
    return there === undefined || !(is === undefined ? isEqual(there[1], after) : isEqual(there[2], before));
  });
}

const pointedAt = (value: unknown): unknown =>
  markOf(value) === '$same' ? (value as { readonly $same: unknown }).$same : undefined;

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
