import { DEPTH_MAX, NotPlainData, setOwn, shapeOf } from './plain-data.ts';

/**
 * Plain data as JSON, and back, without loss: a value that JSON lacks is written as an object with one key, `$` and a
 * name. Object keys are sorted, so that equal data has equal text; fields that are undefined are left out. An object
 * that occurs in several places is written once, and elsewhere as `$same` with a JSON pointer to the first place.
 */
export const toPortable = (value: unknown, what: string): unknown => new Writer(value, what).value(value, '', 0);

class Writer {
  /** Where each object was written first: a pointer into the result. */
  private readonly places = new Map<object, string>();

  constructor(
    private readonly whole: unknown,
    private readonly what: string,
  ) {}

  value(value: unknown, pointer: string, depth: number): unknown {
    switch (typeof value) {
      case 'object':
        return value === null ? null : this.object(value, pointer, depth);
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : { $number: Object.is(value, -0) ? '-0' : String(value) };
      case 'bigint':
        return { $bigint: String(value) };
      case 'undefined':
        return { $undefined: true };
      case 'function':
      case 'symbol':
        throw this.refusal();
      default:
        return value;
    }
  }

  private object(value: object, pointer: string, depth: number): unknown {
    const place = this.places.get(value);
    if (place !== undefined) return { $same: place };
    this.places.set(value, pointer);
    switch (depth > DEPTH_MAX ? undefined : shapeOf(value)) {
      case 'list':
        return this.list(value as readonly unknown[], pointer, depth + 1);
      case 'map':
        return { $map: this.pairs([...(value as ReadonlyMap<unknown, unknown>)], `${pointer}/$map`, depth + 1) };
      case 'set':
        return { $set: this.list([...(value as ReadonlySet<unknown>)], `${pointer}/$set`, depth + 1) };
      case undefined:
        throw this.refusal();
      default:
        return this.fields(value as Record<string, unknown>, pointer, depth + 1);
    }
  }

  private list(items: readonly unknown[], pointer: string, depth: number): unknown[] {
    const list: unknown[] = [];
    for (let at = 0; at < items.length; at++) list.push(this.item(items, at, pointer, depth));
    return list;
  }

  /** Only objects need a pointer: a list may be long, and most are of numbers or texts. */
  private item(items: readonly unknown[], at: number, pointer: string, depth: number): unknown {
    const item = items[at];
    if (typeof item === 'object' && item !== null) return this.object(item, `${pointer}/${at}`, depth);
    return item === undefined && !(at in items) ? { $hole: true } : this.value(item, pointer, depth);
  }

  private pairs(pairs: readonly (readonly [unknown, unknown])[], pointer: string, depth: number): unknown[] {
    return pairs.map((pair, at) => this.list(pair, `${pointer}/${at}`, depth));
  }

  private fields(value: Readonly<Record<string, unknown>>, pointer: string, depth: number): unknown {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    if (fields.some(([key]) => isMark(key))) return { $object: this.pairs(fields, `${pointer}/$object`, depth) };
    return Object.fromEntries(
      fields.map(([key, field]) => [key, this.value(field, `${pointer}/${escaped(key)}`, depth)]),
    );
  }

  private refusal(): NotPlainData {
    return NotPlainData.in(this.whole, this.what);
  }
}

/** `asSame`: what to return for an object that is written elsewhere; by default that same object. */
export const fromPortable = (portable: unknown, asSame?: (pointer: string) => unknown): unknown =>
  new PortableReader(portable, asSame).value(portable);

class PortableReader {
  /** The decoded form of each part: cyclic data reaches a part again while it is being decoded. */
  private readonly read = new Map<object, object>();

  constructor(
    private readonly whole: unknown,
    private readonly asSame: ((pointer: string) => unknown) | undefined,
  ) {}

  value(portable: unknown): unknown {
    if (typeof portable !== 'object' || portable === null) return portable;
    const known = this.read.get(portable);
    if (known !== undefined) return known;
    if (Array.isArray(portable)) return this.list(portable, portable);
    const mark = markOf(portable);
    if (mark !== undefined) return this.marked(mark, (portable as Record<string, unknown>)[mark], portable);
    return this.fields(Object.entries(portable), portable);
  }

  private marked(mark: string, content: unknown, portable: object): unknown {
    const list = Array.isArray(content) ? (content as unknown[]) : [];
    switch (mark) {
      case '$number':
        return Number(content);
      case '$bigint':
        return BigInt(String(content));
      case '$undefined':
        return undefined;
      case '$same':
        return this.asSame?.(String(content)) ?? this.same(String(content), portable);
      case '$map':
        return this.map(list, portable);
      case '$set':
        return this.set(list, portable);
      case '$object':
        return this.fields(list as [string, unknown][], portable);
      default:
        return portable;
    }
  }

  /** The object at that place, decoded now if necessary; an invalid pointer stays a mark. */
  private same(pointer: string, mark: object): unknown {
    const place = pointer.split('/').slice(1).map(unescaped).reduce(partOf, this.whole);
    const isObject = typeof place === 'object' && place !== null && markOf(place) !== '$same';
    return isObject ? this.value(place) : mark;
  }

  private list(items: readonly unknown[], portable: object): unknown[] {
    const list: unknown[] = [];
    this.read.set(portable, list);
    list.length = items.length;
    for (const [at, item] of items.entries()) if (markOf(item) !== '$hole') list[at] = this.value(item);
    return list;
  }

  private map(pairs: readonly unknown[], portable: object): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>();
    this.read.set(portable, map);
    for (const [key, inner] of pairs as [unknown, unknown][]) map.set(this.value(key), this.value(inner));
    return map;
  }

  private set(members: readonly unknown[], portable: object): Set<unknown> {
    const set = new Set<unknown>();
    this.read.set(portable, set);
    for (const member of members) set.add(this.value(member));
    return set;
  }

  private fields(fields: readonly (readonly [string, unknown])[], portable: object): object {
    const object: Record<string, unknown> = {};
    this.read.set(portable, object);
    for (const [key, field] of fields) setOwn(object, key, this.value(field));
    return object;
  }
}

const partOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

/** Whether a key belongs to a value that JSON lacks. */
export const isMark = (key: string): boolean => key.startsWith('$');

/** The `$` keys of values that JSON lacks. Objects of users that have such keys are marked themselves. */
export function markOf(portable: unknown): string | undefined {
  if (typeof portable !== 'object' || portable === null) return undefined;
  return Object.keys(portable).find(isMark);
}

/** A key as one step of a JSON pointer (RFC 6901), and back. */
export const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
export const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The text of plain data; equal for equal data. */
export const portableText = (value: unknown, what: string): string => JSON.stringify(toPortable(value, what));
