import { setOwn } from './plain-data.ts';

/**
 * One place in a state that became different: a JSON pointer to it (RFC 6901), what was there, what is there now. All
 * is portable data; where nothing is, it says so.
 */
export type Change = [pointer: string, before: unknown, after: unknown];

/** What stands where nothing is: no data is written so, not even undefined. */
export const NOTHING: unknown = { $nothing: true };

/** Every place where two states differ, as deep down as possible, so that a reader sees what one event did. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const changes: Change[] = [];
  compare('', before, after, changes);
  return changes;
}

function compare(pointer: string, before: unknown, after: unknown, into: Change[]): void {
  const shape = shapeOf(before);
  if (shape === 'leaf' || shape !== shapeOf(after)) {
    if (JSON.stringify(before) !== JSON.stringify(after)) into.push([pointer, before, after]);
    return;
  }
  const [one, two] = [before, after] as [Branch, Branch];
  for (const key of new Set([...Object.keys(one), ...Object.keys(two)])) {
    compare(`${pointer}/${escaped(key)}`, partOf(one, key), partOf(two, key), into);
  }
}

type Branch = Readonly<Record<string, unknown>>;

/** Values of one shape are compared part by part; a leaf is one value, and so is a set or anything else with a mark. */
function shapeOf(value: unknown): 'leaf' | 'list' | 'map' | 'object' {
  if (typeof value !== 'object' || value === null) return 'leaf';
  if (Array.isArray(value)) return 'list';
  if ('$map' in value) return 'map';
  return Object.keys(value).some((key) => key.startsWith('$')) ? 'leaf' : 'object';
}

const partOf = (branch: Branch, key: string): unknown => (Object.hasOwn(branch, key) ? branch[key] : NOTHING);

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The state after the changes: how a reader of a trace gets from one state to the next. */
export function applyChanges(before: unknown, changes: readonly Change[]): unknown {
  return changes.reduce<unknown>(
    (state, [pointer, , after]) => withPart(state, pointer.split('/').slice(1).map(unescaped), after),
    before,
  );
}

function withPart(state: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
  if (key === undefined) return part;
  const copy = (Array.isArray(state) ? [...(state as unknown[])] : { ...(state as Branch) }) as Record<string, unknown>;
  const after = withPart(partOf(copy, key), rest, part);
  if (!isNothing(after)) setOwn(copy, key, after);
  // Lists only ever lose their ends: what is gone in the middle has moved.
  else if (Array.isArray(copy)) copy.length = Math.min(copy.length, Number(key));
  else delete copy[key];
  return copy;
}

export const isNothing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '$nothing' in value;
