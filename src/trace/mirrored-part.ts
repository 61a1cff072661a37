import { digestText, type Digest } from './digest.ts';
import { setOwn } from './plain-data.ts';
import { afterKey, leafDigest, NO_KEYS, placeDigest, TermSum } from './state-digest.ts';

/** A value of a mirrored state: an object is a `Part`, anything else is itself. */
export type Mirrored = unknown;

/** A place in an array that was left out. */
export const HOLE = Symbol('hole');

/** A Set is written whole: its members are no parts. */
export type PartKind = 'object' | 'list' | 'map' | 'set';

/** A field of an object, a place in an array or an entry of a Map. */
export interface Entry {
  readonly key: unknown;
  readonly value: Mirrored;
  readonly name: Digest;
}

/** One object of a mirrored state: its contents, and their digest. */
export class Part {
  /** The object that was here at the last look; undefined if it has moved. */
  live: object | undefined;
  /** The number of the look that last met it. */
  seen = 0;
  /** In the order of the object: the names of its fields, or the keys of a Map. Arrays and Sets have none. */
  readonly keys: unknown[] = [];
  readonly values: Mirrored[] = [];
  private readonly sum = new TermSum();
  /** Of a Map: the digests of its keys. */
  private readonly names: Digest[] = [];
  private order = NO_KEYS;
  private members: Digest | undefined;

  constructor(readonly kind: PartKind) {}

  digest(): Digest {
    if (this.kind === 'set') return (this.members ??= leafDigest(portableOf(this)));
    return this.sum.digest(this.kind, this.values.length, this.order);
  }

  /** The key of what is at a place: the place itself in an array. */
  keyAt(at: number): unknown {
    return this.kind === 'list' ? at : this.keys[at];
  }

  nameAt(at: number): Digest {
    return this.names[at] ?? this.nameOf(this.keyAt(at));
  }

  /** The digest that stands for a key. */
  nameOf(key: unknown): Digest {
    if (this.kind === 'list') return placeDigest(key as number);
    return this.kind === 'map' ? leafDigest(leafOf(key)) : digestText(key as string);
  }

  /** The value of a key changed, appeared or disappeared. */
  revise(name: Digest, before: Digest | undefined, after: Digest | undefined): void {
    if (before !== undefined) this.sum.remove(name, before);
    if (after !== undefined) this.sum.add(name, after);
  }

  /** Replaces all entries from a place on; the digests of their values have been revised. */
  relay(from: number, entries: readonly Entry[]): void {
    const hasKeys = this.kind === 'object' || this.kind === 'map';
    this.values.length = from;
    if (hasKeys) this.keys.length = from;
    if (this.names.length > from) {
      this.names.length = from;
      this.order = this.names.reduce(afterKey, NO_KEYS);
    }
    for (const { key, value, name } of entries) {
      this.values.push(value);
      if (hasKeys) this.keys.push(key);
      if (this.kind !== 'map') continue;
      this.names.push(name);
      this.order = afterKey(this.order, name);
    }
  }
}

export const digestOf = (value: Mirrored): Digest =>
  value instanceof Part ? value.digest() : leafDigest(leafOf(value));

/** The portable form of a mirrored value, as `toPortable` writes it. */
export function portableOf(value: Mirrored): unknown {
  if (!(value instanceof Part)) return leafOf(value);
  const { kind, keys, values } = value;
  switch (kind) {
    case 'list':
      return values.map(portableOf);
    case 'set':
      return { $set: values.map(portableOf) };
    case 'map':
      return { $map: keys.map((key, at) => [leafOf(key), portableOf(values[at])]) };
    case 'object': {
      const fields: Record<string, unknown> = {};
      const sorted = (keys as string[]).map((key, at) => ({ key, at })).sort((a, b) => (a.key < b.key ? -1 : 1));
      for (const { key, at } of sorted) setOwn(fields, key, portableOf(values[at]));
      return fields;
    }
  }
}

/** The portable form of a value that is no object. */
export function leafOf(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      if (Object.is(value, -0)) return { $number: '-0' };
      return Number.isFinite(value) ? value : { $number: String(value) };
    case 'bigint':
      return { $bigint: String(value) };
    case 'undefined':
      return { $undefined: true };
    case 'symbol':
      return { $hole: true };
    default:
      return value;
  }
}
