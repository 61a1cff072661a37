import { adopted, DEPTH_MAX, isPlainObject, NotPlainData, setOwn } from '../trace/plain-data.ts';

/**
 * A deep copy of plain data; anything else is an error that names whose it is.
 *
 * Spreading and then mending the nested parts is the fastest way to copy small objects in V8, and small objects are what
 * messages and states are. V8 keeps what it learns about shapes by place in the text, so there are three places that
 * spread: for whole messages and states, for what lies in lists, and for the rest.
 */
export function copyData<T>(value: T, owner: string, thing: string): T {
  if (typeof value === 'object' && value !== null) {
    const copied = isPlainObject(value) ? mended({ ...value }, 0) : copyObject(value, 0);
    if (copied === undefined) throw new NotPlainData(`${owner}: ${thing}`, value);
    return copied as T;
  }
  if (typeof value === 'function' || typeof value === 'symbol') throw new NotPlainData(`${owner}: ${thing}`, value);
  return value;
}

/** Undefined where something inside is not plain data. */
function copyObject(value: object, depth: number): object | undefined {
  if (depth > DEPTH_MAX) return undefined;
  if (isPlainObject(value)) return mended({ ...value }, depth);
  if (Array.isArray(value)) return copyArray(value, depth);
  if (value instanceof Map) return copyMap(value, depth);
  if (value instanceof Set) return copySet(value, depth);
  const own = adopted(value);
  return own && copyObject(own, depth);
}

/** Makes a shallow copy a deep one. */
function mended(copied: Record<string, unknown>, depth: number): object | undefined {
  for (const key in copied) {
    const inner = copied[key];
    if (typeof inner === 'object' && inner !== null) {
      const innerCopy = copyObject(inner, depth + 1);
      if (innerCopy === undefined) return undefined;
      setOwn(copied, key, innerCopy);
    } else if (typeof inner === 'function' || typeof inner === 'symbol') return undefined;
  }
  return copied;
}

function copyArray(value: readonly unknown[], depth: number): object | undefined {
  const copied = value.slice();
  for (let at = 0; at < copied.length; at++) {
    const inner = copied[at];
    if (typeof inner === 'object' && inner !== null) {
      const innerCopy = isPlainObject(inner) ? mended({ ...inner }, depth + 1) : copyObject(inner, depth + 1);
      if (innerCopy === undefined) return undefined;
      copied[at] = innerCopy;
    } else if (typeof inner === 'function' || typeof inner === 'symbol') return undefined;
  }
  return copied;
}

function copyMap(value: ReadonlyMap<unknown, unknown>, depth: number): object | undefined {
  const entries = copyArray([...value].flat(1), depth) as unknown[] | undefined;
  if (entries === undefined) return undefined;
  const copied = new Map<unknown, unknown>();
  for (let at = 0; at < entries.length; at += 2) copied.set(entries[at], entries[at + 1]);
  return copied;
}

function copySet(value: ReadonlySet<unknown>, depth: number): object | undefined {
  const members = copyArray([...value], depth) as unknown[] | undefined;
  return members && new Set(members);
}
