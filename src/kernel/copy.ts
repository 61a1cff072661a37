import { beginTraversal, endTraversal, meet, metTwice } from '../trace/aliases.ts';
import { DEPTH_MAX, isOrdinary, NotPlainData, setOwn, shapeOf } from '../trace/plain-data.ts';

/**
 * A deep copy of plain data, aliases and cycles included; anything else is an error that names whose it is.
 *
 * Spreading and then mending the nested parts is the fastest way to copy small objects in V8, and small objects are what
 * messages and states are. V8 keeps what it learns about shapes by place in the text, so there are three places that
 * spread: for whole messages and states, for what lies in lists, and for the rest.
 */
export function copyData<T>(value: T, owner: string, thing: string): T {
  if (typeof value === 'object' && value !== null) {
    return (copyTree(value) ?? new GraphCopy(value, `${owner}: ${thing}`).of(value, 0)) as T;
  }
  if (typeof value === 'function' || typeof value === 'symbol') throw NotPlainData.in(value, `${owner}: ${thing}`);
  return value;
}

/** Undefined where the data is no tree, or not plain. */
function copyTree(value: object): object | undefined {
  const from = beginTraversal(value);
  try {
    const copied = isOrdinary(value) ? mended({ ...value }, 0) : copyObject(value, 0);
    return copied === undefined || metTwice(from) ? undefined : copied;
  } finally {
    endTraversal(from);
  }
}

function copyObject(value: object, depth: number): object | undefined {
  if (depth > DEPTH_MAX) return undefined;
  if (isOrdinary(value)) return mended({ ...value }, depth);
  if (Array.isArray(value)) return copyArray(value, depth);
  if (value instanceof Map) return copyMap(value, depth);
  if (value instanceof Set) return copySet(value, depth);
  return copyRare(value, depth);
}

/** Objects without a prototype, and what was made in another context. */
function copyRare(value: object, depth: number): object | undefined {
  switch (shapeOf(value)) {
    case 'bare':
      return mended(bareCopy(value), depth);
    case 'object':
      return mended({ ...value }, depth);
    case 'map':
      return copyMap(value as ReadonlyMap<unknown, unknown>, depth);
    case 'set':
      return copySet(value as ReadonlySet<unknown>, depth);
    default:
      return undefined;
  }
}

/** Makes a shallow copy a deep one. */
function mended(copied: Record<string, unknown>, depth: number): object | undefined {
  for (const key in copied) {
    const inner = copied[key];
    if (typeof inner === 'object' && inner !== null) {
      const innerCopy = meet(inner) ? copyObject(inner, depth + 1) : undefined;
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
      if (!meet(inner)) return undefined;
      const innerCopy = isOrdinary(inner) ? mended({ ...inner }, depth + 1) : copyObject(inner, depth + 1);
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

/** Copies by identity: each object once, wherever it stands. Slower, for what is no tree, and for what is odd. */
class GraphCopy {
  private readonly copies = new Map<object, object>();

  constructor(
    private readonly whole: object,
    private readonly what: string,
  ) {}

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'function' || typeof value === 'symbol') throw this.refusal();
    if (typeof value !== 'object' || value === null) return value;
    return this.copies.get(value) ?? this.copy(value, depth);
  }

  private copy(value: object, depth: number): object {
    const shape = depth > DEPTH_MAX ? undefined : shapeOf(value);
    switch (shape) {
      case 'list':
        return this.list(value as readonly unknown[], depth + 1);
      case 'map':
        return this.map(value as ReadonlyMap<unknown, unknown>, depth + 1);
      case 'set':
        return this.set(value as ReadonlySet<unknown>, depth + 1);
      case 'object':
        return this.fields(value, { ...value }, depth + 1);
      case 'bare':
        return this.fields(value, bareCopy(value), depth + 1);
      default:
        throw this.refusal();
    }
  }

  private fields(value: object, copied: Record<string, unknown>, depth: number): object {
    this.copies.set(value, copied);
    for (const key of Object.keys(copied)) setOwn(copied, key, this.of(copied[key], depth));
    return copied;
  }

  private list(value: readonly unknown[], depth: number): object {
    const copied = value.slice();
    this.copies.set(value, copied);
    for (const [at, inner] of copied.entries()) {
      const innerCopy = this.of(inner, depth);
      // A place that was left out must stay so.
      if (innerCopy !== inner) copied[at] = innerCopy;
    }
    return copied;
  }

  private map(value: ReadonlyMap<unknown, unknown>, depth: number): object {
    const copied = new Map<unknown, unknown>();
    this.copies.set(value, copied);
    for (const [key, inner] of value) copied.set(this.of(key, depth), this.of(inner, depth));
    return copied;
  }

  private set(value: ReadonlySet<unknown>, depth: number): object {
    const copied = new Set<unknown>();
    this.copies.set(value, copied);
    for (const inner of value) copied.add(this.of(inner, depth));
    return copied;
  }

  private refusal(): NotPlainData {
    return NotPlainData.in(this.whole, this.what);
  }
}

const bareCopy = (value: object): Record<string, unknown> => ({ __proto__: null, ...value });
