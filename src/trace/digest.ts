/**
 * 64-bit digests as two 32-bit lanes, because a hot loop cannot afford BigInt, and 32 bits collide after some ten
 * thousand executions. The lanes use different multipliers, so their collisions are independent. Not cryptographic.
 */
export interface Digest {
  /** The upper 32 bits, as a signed integer. */
  readonly hi: number;
  /** The lower 32 bits, as a signed integer. */
  readonly lo: number;
}

// Local copies: in the contexts in which Jest runs tests, a global lookup takes longer than mixing.
const { imul } = Math;

/** Absorbs one 32-bit word into the high lane. */
export function mixHi(lane: number, word: number): number {
  const x = imul(lane ^ word, 0x9e3779b1);
  return imul(x ^ (x >>> 15), 0x85ebca77) ^ (x >>> 13);
}

/** Absorbs one 32-bit word into the low lane. */
export function mixLo(lane: number, word: number): number {
  const x = imul(lane ^ word, 0xc2b2ae3d);
  return imul(x ^ (x >>> 14), 0x27d4eb2f) ^ (x >>> 16);
}

/** The digest of a text. */
export function digestText(text: string): Digest {
  let hi = 0x51ed270b;
  let lo = 0x2545f491;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hi = mixHi(hi, unit);
    lo = mixLo(lo, unit);
  }
  return { hi: mixHi(hi, text.length), lo: mixLo(lo, text.length) };
}

const double = new DataView(new ArrayBuffer(8));

/** The two words of a number, integer or not; -0 counts as 0. The same on every machine. */
export function wordsOf(value: number): readonly [number, number] {
  double.setFloat64(0, value + 0);
  return [double.getInt32(0), double.getInt32(4)];
}

export function digestNumber(value: number): Digest {
  const [one, two] = wordsOf(value);
  return { hi: mixHi(mixHi(0, one), two), lo: mixLo(mixLo(0, one), two) };
}

/** Sixteen hexadecimal digits. */
export const hex = ({ hi, lo }: Digest): string => lane(hi) + lane(lo);

/** Whether two digests are equal. */
export const sameDigest = (a: Digest, b: Digest): boolean => a.hi === b.hi && a.lo === b.lo;

/** Reads a digest that `hex` wrote. */
export const parseHex = (text: string): Digest => ({
  hi: Number.parseInt(text.slice(0, 8), 16) | 0,
  lo: Number.parseInt(text.slice(8, 16), 16) | 0,
});

/** The digits of every byte: hot loops look for events by their digits, and `toString(16)` takes four times as long. */
const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const digits = (byte: number): string => bytes[byte & 0xff] as string;

const lane = (word: number): string => digits(word >>> 24) + digits(word >>> 16) + digits(word >>> 8) + digits(word);
