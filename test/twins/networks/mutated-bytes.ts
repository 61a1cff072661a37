import type { Random } from 'culprit/kernel';

/** Random bytes, or one of these messages with one to four changes; most with the length that they say they have. */
export function mutated(originals: readonly Uint8Array[], random: Random): Buffer {
  if (random.below(8) === 0) return randomBytes(random);
  let bytes: Buffer = Buffer.from(random.pick(originals));
  const changes = 1 + random.below(4);
  for (let done = 0; done < changes; done++) bytes = random.pick(mutations)(bytes, random, originals);
  if (random.below(8) !== 0 && bytes.length >= 4) bytes.writeUInt16BE(bytes.length & 0xffff, 2);
  return bytes;
}

function randomBytes(random: Random): Buffer {
  const bytes = Buffer.alloc(random.below(200));
  for (let at = 0; at < bytes.length; at++) bytes[at] = random.below(256);
  // Half of them begin like a message.
  if (bytes.length >= 8 && random.below(2) === 0) bytes.set([1, random.below(24), 0, bytes.length]);
  return bytes;
}

type Mutation = (bytes: Buffer, random: Random, originals: readonly Uint8Array[]) => Buffer;

/** Values at which ranges begin and end. */
const edges = [0, 1, 2, 7, 8, 0x10, 0x7f, 0x80, 0xf8, 0xfe, 0xff];

const replaced =
  (value: (old: number, random: Random) => number): Mutation =>
  (bytes, random) => {
    if (bytes.length > 0) {
      const at = random.below(bytes.length);
      bytes[at] = value(bytes[at] as number, random);
    }
    return bytes;
  };

const mutations: readonly Mutation[] = [
  replaced((_old, random) => random.below(256)),
  replaced((_old, random) => random.pick(edges)),
  replaced((old, random) => old ^ (1 << random.below(8))),
  // Cut off.
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  // Something in the middle left out, mostly whole units.
  (bytes, random) => {
    const from = random.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + random.pick([1, 4, 8, 16]))]);
  },
  // The tail of another message added.
  (bytes, random, originals) => {
    const other = random.pick(originals);
    return Buffer.concat([bytes, other.subarray(random.below(other.length + 1))]);
  },
  // Another type.
  (bytes, random) => {
    if (bytes.length > 1) bytes[1] = random.below(24);
    return bytes;
  },
];
