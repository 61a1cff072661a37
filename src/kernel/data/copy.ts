import { beginTraversal, endTraversal, meet } from '../../trace/aliases.ts';
import { DEPTH_MAX, isOrdinary, LENGTH_MAX, NotPlainData, setOwn, shapeOf } from '../../trace/plain-data.ts';
import { shallowCopy, shallowCopyAgain } from './shallow-copy.ts';

/**
 * A deep copy of plain data, aliases and cycles included; anything else is an error that names whose it is.
 *
 * Spreading and then replacing the nested parts is the fastest way to copy small objects in V8, and small objects are what
 * messages and states are: see `shallowCopy`.
 */
export function copyData<T>(value: T, owner: string, thing: string): T {
  if (typeof value === 'object' && value !== null) {
    const copied = copyTree(value);
    isTree = copied !== undefined;
    return (copied ?? new GraphCopy(value, `${owner}: ${thing}`).of(value, 0)) as T;
  }
  if (typeof value === 'function' || typeof value === 'symbol') throw NotPlainData.in(value, `${owner}: ${thing}`);
  return value;
}

/**
 * A hash of the data that was copied last: of its numbers and strings, without their keys. Undefined if the data was no tree. It is a
 * by-product of copying, and costs next to nothing.
 */
export const lastContents = (): number | undefined => (isTree ? contents : undefined);

let contents = 0;
let isTree = true;

/** Copies a result of `copyData`: it is plain, and it is known whether it is a tree. */
export function copyAgain<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (graphs !== undefined && graphs.has(value)) return new GraphCopy(value, 'a copy').of(value, 0) as T;
  return repeat(value) as T;
}

/** The copies that are no trees. */
let graphs: WeakSet<object> | undefined;

/** Copies have one of these shapes. Asking for a prototype is a call into V8, which takes as long as copying a small object. */
function repeat(value: object): object {
  if (Array.isArray(value)) return repeatedList(value.slice());
  if (value instanceof Map) return new Map(repeatedList([...value]) as [unknown, unknown][]);
  if (value instanceof Set) return new Set(repeatedList([...value]));
  return value instanceof Object
    ? repeated(shallowCopyAgain(value as Record<string, unknown>))
    : repeated(bareCopy(value));
}

function repeated(copied: Record<string, unknown>): object {
  for (const key in copied) {
    const inner = copied[key];
    if (typeof inner === 'object' && inner !== null) setOwn(copied, key, repeat(inner));
  }
  return copied;
}

function repeatedList(copied: unknown[]): unknown[] {
  for (let at = 0; at < copied.length; at++) {
    const inner = copied[at];
    if (typeof inner === 'object' && inner !== null) copied[at] = repeat(inner);
  }
  return copied;
}

/** Undefined if the data is no tree, or not plain. */
function copyTree(value: object): object | undefined {
  if (!isOrdinary(value)) return traversed(value, undefined);
  const copied = shallowCopy(value);
  let hash = OBJECT;
  for (const key in copied) {
    const inner = copied[key];
    if (typeof inner === 'object' && inner !== null) return traversed(value, copied);
    if (typeof inner === 'number') hash = hashed(hash, inner);
    else if (typeof inner === 'string') hash = hashedText(hash, inner);
    else if (typeof inner === 'function' || typeof inner === 'symbol') return undefined;
    else hash += 1;
  }
  contents = hash;
  return copied;
}

/** The same where something is nested; `copied` is a shallow copy, where there is one. */
function traversed(value: object, copied: Record<string, unknown> | undefined): object | undefined {
  if (!beginTraversal()) return undefined;
  contents = 0;
  try {
    return copied === undefined ? copyObject(value, 0) : mended(value, copied, 0);
  } finally {
    endTraversal();
  }
}

function copyObject(value: object, depth: number): object | undefined {
  // Data that holds itself ends here too.
  if (depth > DEPTH_MAX) return undefined;
  if (Array.isArray(value)) return copyArray(value, depth);
  if (isOrdinary(value)) return mended(value, shallowCopy(value), depth);
  if (value instanceof Map) return copyMap(value, depth);
  if (value instanceof Set) return copySet(value, depth);
  return copyRare(value, depth);
}

/** Objects without a prototype, and objects of another context. */
function copyRare(value: object, depth: number): object | undefined {
  switch (shapeOf(value)) {
    case 'bare':
      return mended(value, bareCopy(value), depth);
    case 'object':
      return mended(value, { ...value }, depth);
    case 'map':
      return copyMap(value as ReadonlyMap<unknown, unknown>, depth);
    case 'set':
      return copySet(value as ReadonlySet<unknown>, depth);
    default:
      return undefined;
  }
}

/** Makes a shallow copy a deep one. */
function mended(value: object, copied: Record<string, unknown>, depth: number): object | undefined {
  let hash = OBJECT;
  for (const key in copied) {
    const inner = copied[key];
    if (typeof inner === 'number') hash = hashed(hash, inner);
    else if (typeof inner === 'string') hash = hashedText(hash, inner);
    else if (typeof inner === 'object' && inner !== null) {
      const innerCopy = copyObject(inner, depth + 1);
      if (innerCopy === undefined) return undefined;
      setOwn(copied, key, innerCopy);
    } else if (typeof inner === 'function' || typeof inner === 'symbol') return undefined;
    else hash += 1;
  }
  return isNew(value, hash, depth) ? copied : undefined;
}

/** Whether the object is not met for the second time. The whole cannot be: data that holds itself ends by its depth. */
function isNew(value: object, hash: number, depth: number): boolean {
  contents = hashed(contents, hash);
  return depth === 0 || meet(value, hash);
}

/** Where the hashes of the several shapes begin. */
const OBJECT = 1;
const LIST = 2;
const MAP = 3;
const SET = 4;

const hashed = (hash: number, number: number): number => Math.imul(hash ^ number, 0x9e3779b1);

/** Names and values differ at the end most often. */
const hashedText = (hash: number, text: string): number =>
  text === '' ? hash : hashed(hash, text.length + text.charCodeAt(text.length - 1));

function copyArray(value: readonly unknown[], depth: number): object | undefined {
  if (value.length > LENGTH_MAX) return undefined;
  const copied = value.slice();
  return copyItems(copied, depth) && isNew(value, hashed(LIST, copied.length), depth) ? copied : undefined;
}

/** Makes a shallow copy of a list a deep one; false if that is impossible. */
function copyItems(copied: unknown[], depth: number): boolean {
  for (let at = 0; at < copied.length; at++) {
    const inner = copied[at];
    if (typeof inner === 'object' && inner !== null) {
      const innerCopy = isOrdinary(inner) ? mended(inner, { ...inner }, depth + 1) : copyObject(inner, depth + 1);
      if (innerCopy === undefined) return false;
      copied[at] = innerCopy;
    } else if (typeof inner === 'function' || typeof inner === 'symbol') return false;
  }
  return true;
}

function copyMap(value: ReadonlyMap<unknown, unknown>, depth: number): object | undefined {
  const entries = [...value].flat(1);
  if (!copyItems(entries, depth) || !isNew(value, hashed(MAP, entries.length), depth)) return undefined;
  const copied = new Map<unknown, unknown>();
  for (let at = 0; at < entries.length; at += 2) copied.set(entries[at], entries[at + 1]);
  return copied;
}

function copySet(value: ReadonlySet<unknown>, depth: number): object | undefined {
  const members = [...value];
  return copyItems(members, depth) && isNew(value, hashed(SET, members.length), depth) ? new Set(members) : undefined;
}

/** Copies by identity, each object once. It is slower: for data that is no tree, and for unusual objects. */
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
        if ((value as readonly unknown[]).length > LENGTH_MAX) throw this.refusal();
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
    this.keep(value, copied);
    for (const key of Object.keys(copied)) setOwn(copied, key, this.of(copied[key], depth));
    return copied;
  }

  private list(value: readonly unknown[], depth: number): object {
    const copied = value.slice();
    this.keep(value, copied);
    for (const [at, inner] of copied.entries()) {
      const innerCopy = this.of(inner, depth);
      // A place that was left out must stay so.
      if (innerCopy !== inner) copied[at] = innerCopy;
    }
    return copied;
  }

  private map(value: ReadonlyMap<unknown, unknown>, depth: number): object {
    const copied = new Map<unknown, unknown>();
    this.keep(value, copied);
    for (const [key, inner] of value) copied.set(this.of(key, depth), this.of(inner, depth));
    return copied;
  }

  private set(value: ReadonlySet<unknown>, depth: number): object {
    const copied = new Set<unknown>();
    this.keep(value, copied);
    for (const inner of value) copied.add(this.of(inner, depth));
    return copied;
  }

  private keep(value: object, copied: object): void {
    this.copies.set(value, copied);
    graphs ??= new WeakSet();
    graphs.add(copied);
  }

  private refusal(): NotPlainData {
    return NotPlainData.in(this.whole, this.what);
  }
}

const bareCopy = (value: object): Record<string, unknown> => ({ __proto__: null, ...value });
