import type { Match } from '../openflow/messages.ts';
import { addressOf, bitsOf, plainFields } from './matching.ts';
import type { PacketFields } from './packet-fields.ts';

/** The fields that a match has, and the lengths of its prefixes: the mask of a tuple. */
export interface MatchShape {
  /** Equal for equal shapes. */
  readonly number: number;
  /** Places in `plainFields`. */
  readonly fields: readonly number[];
  readonly srcBits: number;
  readonly dstBits: number;
}

const PCP = plainFields.indexOf('dlVlanPcp');

export const shapeOf = (match: Match): MatchShape => {
  let bits = 0;
  for (let at = 0; at < plainFields.length; at++) {
    if (match[plainFields[at] as (typeof plainFields)[number]] !== undefined) bits |= 1 << at;
  }
  return shape(bits, bitsOf(match.nwSrc), bitsOf(match.nwDst));
};

const shapes = new Map<number, MatchShape>();

/** One object for each shape. */
function shape(bits: number, srcBits: number, dstBits: number): MatchShape {
  const number = bits | (srcBits << plainFields.length) | (dstBits << (plainFields.length + 6));
  const known = shapes.get(number);
  if (known !== undefined) return known;
  const fields = [...plainFields.keys()].filter((at) => (bits & (1 << at)) !== 0);
  const made = { number, fields, srcBits, dstBits };
  shapes.set(number, made);
  return made;
}

/** The part of two shapes that matches of both have. */
export function commonShape(one: MatchShape, other: MatchShape): MatchShape {
  const bits = one.number & other.number & ((1 << plainFields.length) - 1);
  return shape(bits, Math.min(one.srcBits, other.srcBits), Math.min(one.dstBits, other.dstBits));
}

/** The values that hashes are made of: those of `plainFields`, then the addresses. */
export type HashedValues = Int32Array;

const SRC = plainFields.length;
const DST = SRC + 1;

/** The values of a match; 0 for a wildcard. */
export const valuesOfMatch = (match: Match): HashedValues =>
  valuesOf(match, addressOf(match.nwSrc), addressOf(match.nwDst));

export const valuesOfPacket = (packet: PacketFields): HashedValues => valuesOf(packet, packet.nwSrc, packet.nwDst);

type Plain = { readonly [K in (typeof plainFields)[number]]?: string | number };

function valuesOf(plain: Plain, nwSrc: number, nwDst: number): HashedValues {
  const values = new Int32Array(DST + 1);
  values[0] = numberOf(plain.inPort);
  values[1] = numberOf(plain.dlSrc);
  values[2] = numberOf(plain.dlDst);
  values[3] = numberOf(plain.dlVlan);
  values[4] = numberOf(plain.dlVlanPcp);
  values[5] = numberOf(plain.dlType);
  values[6] = numberOf(plain.nwTos);
  values[7] = numberOf(plain.nwProto);
  values[8] = numberOf(plain.tpSrc);
  values[9] = numberOf(plain.tpDst);
  values[SRC] = nwSrc;
  values[DST] = nwDst;
  return values;
}

function numberOf(value: string | number | undefined): number {
  if (typeof value !== 'string') return value ?? 0;
  let hash = 0;
  for (let at = 0; at < value.length; at++) hash = (Math.imul(hash, 31) + value.charCodeAt(at)) | 0;
  return hash;
}

/** A hash of the part of the values that a shape has: equal for a match of this shape and all of its packets. */
export function hashOf({ fields, srcBits, dstBits }: MatchShape, values: HashedValues): number {
  let hash = 0;
  for (const field of fields) hash = mixed(hash, values[field] as number);
  // A shift by 32 bits is one by none.
  if (srcBits > 0) hash = mixed(hash, (values[SRC] as number) >>> (32 - srcBits));
  if (dstBits > 0) hash = mixed(hash, (values[DST] as number) >>> (32 - dstBits));
  return hash;
}

function mixed(hash: number, value: number): number {
  const sum = Math.imul(hash ^ value, 0x9e3779b1);
  return (sum ^ (sum >>> 15)) | 0;
}

/** Whether a match of this shape can be for the packet: one for tags of some priority is not for frames without a tag. */
export const mayMatch = ({ number }: MatchShape, { dlVlan }: PacketFields): boolean =>
  dlVlan !== 'none' || (number & (1 << PCP)) === 0;
