import fc from 'fast-check';

/** Random values of single fields. */

export const u8 = fc.nat(0xff);
export const u16 = fc.nat(0xffff);
export const u32 = fc.nat(0xffffffff);
export const hex = (size: { min?: number; max: number }): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: size.min ?? 0, maxLength: size.max }).map((bytes) => Buffer.from(bytes).toString('hex'));
export const mac = fc.uint8Array({ minLength: 6, maxLength: 6 }).map((bytes) => [...bytes].map(twoDigits).join(':'));
const twoDigits = (byte: number): string => byte.toString(16).padStart(2, '0');
export const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
export const ipv4 = u32.map(dotted);

/** Names of bits in their order, and other bits by their place. */
export function bits<N extends string>(names: readonly N[], size: 12 | 16 | 32): fc.Arbitrary<(N | `bit${number}`)[]> {
  const others = Array.from({ length: size - names.length }, (_, index) => `bit${names.length + index}` as const);
  return fc.oneof(
    { weight: 4, arbitrary: fc.subarray<N | `bit${number}`>([...names]) },
    fc.subarray<N | `bit${number}`>([...names, ...others]),
  );
}
