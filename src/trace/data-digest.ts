import { digestText, mixHi, mixLo, wordsOf, type Digest } from './digest.ts';

/**
 * Digests data without making anything on the way: a hunt does it at the end of every execution that it has not met
 * before. What was digested last is in `hi` and `lo`.
 */
export class DataDigest implements Digest {
  hi = 0;
  lo = 0;

  /** Ordered: what code could tell apart counts, such as the order of an object's keys, and a field that is undefined. */
  constructor(private readonly isOrdered = false) {}

  /** Equal data has equal digests. The order of an object's keys does not count, nor do fields that are undefined. */
  data(value: unknown): this {
    switch (typeof value) {
      case 'string':
        return this.take(textDigest(value));
      case 'number':
        return this.number(value);
      case 'object':
        return value === null ? this.take(NULL) : this.object(value);
      case 'boolean':
        return this.take(value ? TRUE : FALSE);
      default:
        return this.take(textDigest(`\0${typeof value} ${String(value)}`));
    }
  }

  /** Begins with what was digested elsewhere. */
  take({ hi, lo }: Digest): this {
    this.hi = hi;
    this.lo = lo;
    return this;
  }

  /** One more word after what there is. */
  word(word: number): this {
    this.hi = mixHi(this.hi, word);
    this.lo = mixLo(this.lo, word);
    return this;
  }

  /** One more value after what there is: the order counts. */
  and(value: unknown): this {
    const { hi, lo } = this;
    return this.data(value).after(hi, lo);
  }

  /** Puts what there is behind something earlier. */
  after(hi: number, lo: number): this {
    this.hi = mixHi(hi, this.hi);
    this.lo = mixLo(lo, this.lo);
    return this;
  }

  private number(value: number): this {
    if ((value | 0) === value) return this.take(WHOLE).word(value);
    const [one, two] = wordsOf(value);
    return this.take(FRACTION).word(one).word(two);
  }

  private object(value: object): this {
    if (Array.isArray(value)) return this.list(LIST, value);
    if (value instanceof Map) return this.list(MAP, [...value].flat(1));
    if (value instanceof Set) return this.list(SET, [...value]);
    if (this.isOrdered) return this.fields(value as Record<string, unknown>);
    let { hi, lo } = OBJECT;
    for (const key in value) {
      const field = (value as Record<string, unknown>)[key];
      if (field === undefined) continue;
      const name = textDigest(key);
      this.data(field).after(name.hi, name.lo);
      hi = (hi + this.hi) | 0;
      lo = (lo + this.lo) | 0;
    }
    this.hi = mixHi(OBJECT.hi, hi);
    this.lo = mixLo(OBJECT.lo, lo);
    return this;
  }

  private fields(value: Readonly<Record<string, unknown>>): this {
    this.take(OBJECT);
    for (const key in value) this.and(key).and(value[key]);
    return this;
  }

  private list(kind: Digest, items: readonly unknown[]): this {
    this.take(kind).word(items.length);
    for (const item of items) this.and(item);
    return this;
  }
}

const kindDigest = (kind: string): Digest => digestText(`\0${kind}`);
const [NULL, TRUE, FALSE] = [kindDigest('null'), kindDigest('true'), kindDigest('false')];
const [WHOLE, FRACTION] = [kindDigest('whole'), kindDigest('fraction')];
const [LIST, MAP, SET, OBJECT] = [kindDigest('list'), kindDigest('map'), kindDigest('set'), kindDigest('object')];

/** Names and types come again and again. */
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
