import { digestText, mixHi, mixLo, type Digest } from './digest.ts';
import { markOf } from './json-encoding.ts';

/**
 * The digest of a state in a trace since format 1.8. The digest of an object, an array or a Map is made from the sum of a term for
 * each of its parts, so that a changed part changes one term, and the digest of a large state is known without visiting all of it.
 * Earlier formats have the digest of the text.
 */
export function stateDigest(portable: unknown): Digest {
  if (typeof portable !== 'object' || portable === null) return leafDigest(portable);
  if (Array.isArray(portable)) return listDigest(portable);
  const mark = markOf(portable);
  if (mark === '$map') return mapDigest((portable as { readonly $map: readonly [unknown, unknown][] }).$map);
  if (mark !== undefined) return leafDigest(portable);
  const fields = Object.entries(portable);
  const sum = new TermSum();
  for (const [key, field] of fields) sum.add(digestText(key), stateDigest(field));
  return sum.digest('object', fields.length);
}

function listDigest(items: readonly unknown[]): Digest {
  const sum = new TermSum();
  for (const [at, item] of items.entries()) sum.add(placeDigest(at), stateDigest(item));
  return sum.digest('list', items.length);
}

/** The order of the keys counts: code that iterates over a Map can see it. */
function mapDigest(pairs: readonly (readonly [unknown, unknown])[]): Digest {
  const sum = new TermSum();
  let order = NO_KEYS;
  for (const [key, value] of pairs) {
    const name = leafDigest(key);
    sum.add(name, stateDigest(value));
    order = afterKey(order, name);
  }
  return sum.digest('map', pairs.length, order);
}

/** The digest of a value without parts, and of one that is written whole, such as a Set. */
export const leafDigest = (portable: unknown): Digest => digestText(JSON.stringify(portable));

export const placeDigest = (at: number): Digest => ({ hi: mixHi(PLACE, at), lo: mixLo(PLACE, at) });

const PLACE = 0x706c6163;

/** The order of the keys of a Map: grows with every key. */
export const NO_KEYS: Digest = { hi: 0, lo: 0 };
export const afterKey = ({ hi, lo }: Digest, key: Digest): Digest => ({
  hi: mixHi(mixHi(hi, key.hi), key.lo),
  lo: mixLo(mixLo(lo, key.lo), key.hi),
});

type Parted = 'list' | 'object' | 'map';
const KINDS: Readonly<Record<Parted, Digest>> = {
  list: digestText('list'),
  object: digestText('object'),
  map: digestText('map'),
};

/** The sum of the terms of all parts. Both lanes of key and value are in both lanes of a term: a sum of less would hide swaps. */
export class TermSum implements Digest {
  hi = 0;
  lo = 0;

  add(key: Digest, value: Digest): void {
    this.hi = (this.hi + termHi(key, value)) | 0;
    this.lo = (this.lo + termLo(key, value)) | 0;
  }

  remove(key: Digest, value: Digest): void {
    this.hi = (this.hi - termHi(key, value)) | 0;
    this.lo = (this.lo - termLo(key, value)) | 0;
  }

  digest(kind: Parted, size: number, order: Digest = NO_KEYS): Digest {
    const { hi, lo } = afterKey(afterKey(KINDS[kind], this), order);
    return { hi: mixHi(hi, size), lo: mixLo(lo, size) };
  }
}

const termHi = (key: Digest, value: Digest): number =>
  mixHi(mixHi(mixHi(mixHi(TERM, key.hi), key.lo), value.hi), value.lo);

const termLo = (key: Digest, value: Digest): number =>
  mixLo(mixLo(mixLo(mixLo(TERM, key.lo), key.hi), value.lo), value.hi);

const TERM = 0x7465726d;
