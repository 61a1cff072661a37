import { beginTraversal, endTraversal, meet } from './aliases.ts';
import { digestText, mixHi, mixLo, wordsOf, type Digest } from './digest.ts';
import { DEPTH_MAX } from './plain-data.ts';

/**
 * Digests data without allocating: a hunt digests the final world of every execution that is new. The result is in `hi`
 * and `lo`.
 */
export class DataDigest implements Digest {
  hi = 0;
  lo = 0;
  /** Depth of the current traversal; below zero once it has given up because the data is cyclic. */
  private depth = 0;
  /** Numbers of the objects met so far, if objects are compared by identity. */
  private numbers: Map<object, number> | undefined;

  /**
   * Digests everything that code can distinguish, such as the order of an object's keys, and a field that is undefined.
   */
  constructor(private readonly isOrdered = false) {}

  /**
   * Equal data has equal digests. The order of an object's keys and fields that are undefined do not count. It does
   * count which fields hold the same object.
   */
  data(value: unknown): this {
    if (typeof value !== 'object' || value === null) return this.value(value);
    return this.tree(value) ? this : this.graph(value);
  }

  /** False if the data is not a tree. */
  private tree(value: object): boolean {
    if (!beginTraversal()) return false;
    this.depth = 0;
    try {
      this.nested(value);
      return this.depth === 0;
    } finally {
      endTraversal();
    }
  }

  /** By identity: an object in several places is digested once, then referred to by its number. */
  private graph(value: object): this {
    this.numbers = new Map();
    try {
      return this.value(value);
    } finally {
      this.numbers = undefined;
    }
  }

  private value(value: unknown): this {
    switch (typeof value) {
      case 'string':
        return this.take(textDigest(value));
      case 'number':
        return this.number(value);
      case 'object':
        return value === null ? this.take(NULL) : this.nested(value);
      case 'boolean':
        return this.take(value ? TRUE : FALSE);
      default:
        return this.take(textDigest(`\0${typeof value} ${String(value)}`));
    }
  }

  /** Starts from a digest that was made elsewhere. */
  take({ hi, lo }: Digest): this {
    this.hi = hi;
    this.lo = lo;
    return this;
  }

  /** Appends one word. */
  word(word: number): this {
    this.hi = mixHi(this.hi, word);
    this.lo = mixLo(this.lo, word);
    return this;
  }

  /** Appends one value: the order counts. */
  and(value: unknown): this {
    const { hi, lo } = this;
    return this.data(value).after(hi, lo);
  }

  /** The same within the data that is being digested. */
  private andPart(value: unknown): this {
    const { hi, lo } = this;
    return this.value(value).after(hi, lo);
  }

  /** Appends the current digest to an earlier one. */
  after(hi: number, lo: number): this {
    this.hi = mixHi(hi, this.hi);
    this.lo = mixLo(lo, this.lo);
    return this;
  }

  private number(value: number): this {
    if ((value | 0) !== value) {
      const [one, two] = wordsOf(value);
      return this.take(FRACTION).word(one).word(two);
    }
    return value === 0 && Object.is(value, -0) ? this.take(MINUS_ZERO) : this.take(WHOLE).word(value);
  }

  private nested(value: object): this {
    if (this.numbers !== undefined) return this.numbered(value, this.numbers);
    if (this.depth < 0) return this;
    if (this.depth > DEPTH_MAX) return this.giveUp();
    this.depth += 1;
    this.object(value);
    if (this.depth < 0 || !meet(value, this.lo)) return this.giveUp();
    this.depth -= 1;
    return this;
  }

  private giveUp(): this {
    this.depth = -1;
    return this;
  }

  private numbered(value: object, numbers: Map<object, number>): this {
    const known = numbers.get(value);
    if (known !== undefined) return this.take(SAME).word(known);
    numbers.set(value, numbers.size);
    return this.object(value);
  }

  private object(value: object): this {
    if (Array.isArray(value)) return this.list(LIST, value);
    if (value instanceof Map) return this.list(MAP, [...value].flat(1));
    if (value instanceof Set) return this.list(SET, [...value]);
    if (this.isOrdered) return this.fields(value as Record<string, unknown>);
    if (this.numbers !== undefined) return this.sortedFields(value as Record<string, unknown>);
    let { hi, lo } = OBJECT;
    for (const key in value) {
      const field = (value as Record<string, unknown>)[key];
      if (field === undefined) continue;
      const name = textDigest(key);
      this.value(field).after(name.hi, name.lo);
      hi = (hi + this.hi) | 0;
      lo = (lo + this.lo) | 0;
    }
    this.hi = mixHi(OBJECT.hi, hi);
    this.lo = mixLo(OBJECT.lo, lo);
    return this;
  }

  private fields(value: Readonly<Record<string, unknown>>): this {
    this.take(Object.getPrototypeOf(value) === null ? BARE : OBJECT);
    for (const key in value) this.andPart(key).andPart(value[key]);
    return this;
  }

  /** Numbers follow the order in which objects are met, which must not depend on the order of keys. */
  private sortedFields(value: Readonly<Record<string, unknown>>): this {
    this.take(OBJECT);
    for (const key of Object.keys(value).sort()) {
      if (value[key] !== undefined) this.andPart(key).andPart(value[key]);
    }
    return this;
  }

  private list(kind: Digest, items: readonly unknown[]): this {
    this.take(kind).word(items.length);
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      if (item === undefined && !(at in items)) this.word(HOLE);
      else this.andPart(item);
    }
    return this;
  }
}

/** Stands for a hole in an array. */
const HOLE = 0x484f4c45;

const kindDigest = (kind: string): Digest => digestText(`\0${kind}`);
const [NULL, TRUE, FALSE] = [kindDigest('null'), kindDigest('true'), kindDigest('false')];
const [WHOLE, FRACTION, MINUS_ZERO] = [kindDigest('whole'), kindDigest('fraction'), kindDigest('-0')];
const [LIST, MAP, SET] = [kindDigest('list'), kindDigest('map'), kindDigest('set')];
const [OBJECT, BARE, SAME] = [kindDigest('object'), kindDigest('bare'), kindDigest('same')];

/** Caches digests of texts, because names and types recur. */
const texts = new Map<string, Digest>();
const TEXTS_MAX = 10_000;

function textDigest(text: string): Digest {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const digest = digestText(text);
  if (texts.size >= TEXTS_MAX) texts.clear();
  texts.set(text, digest);
  return digest;
}
