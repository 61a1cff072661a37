import { writeMac } from '../bytes/addresses.ts';
import type { MacAddress } from '../bytes/data.ts';
import { matchFields } from '../openflow/match-fields.ts';
import type { Ipv4Prefix, Match, Port } from '../openflow/messages.ts';
import { FIRST_SPECIAL_PORT, specialPorts } from '../openflow/names.ts';
import { addressOf, bitsOf } from '../switch/matching.ts';
import { only, range, type ValueSet } from './value-set.ts';

/** The fields of a header are those of a match, by their places there. */
export const FIELD_COUNT = matchFields.length;

export const IN_PORT = 0;
export const DL_SRC = 1;
export const DL_DST = 2;
export const VLAN = 3;
export const PCP = 4;
export const DL_TYPE = 5;
export const NW_TOS = 6;
export const NW_PROTO = 7;
export const NW_SRC = 8;
export const NW_DST = 9;
export const TP_SRC = 10;
export const TP_DST = 11;

export const IPV4 = 0x0800;
export const ARP = 0x0806;
export const ICMP = 1;
export const TCP = 6;
export const UDP = 17;
/** The type of frames of 802.3 in a match, and the lowest that there is. */
const LOWEST_TYPE = 0x05ff;
const TAG_TYPE = 0x8100;

/** The number of `none` as a tag. */
export const NO_TAG = -1;
export const TAGGED = range(0, 4095);

/** All values of each field. A tag is no type: frames have one tag at most here. */
export const ALL: readonly ValueSet[] = [
  range(0, 0xffff),
  range(0, 2 ** 48 - 1),
  range(0, 2 ** 48 - 1),
  range(NO_TAG, 4095),
  range(0, 7),
  [LOWEST_TYPE, TAG_TYPE - 1, TAG_TYPE + 1, 0xffff],
  // The lowest two bits are no part of the field.
  range(0, 63),
  range(0, 255),
  range(0, 0xffffffff),
  range(0, 0xffffffff),
  range(0, 0xffff),
  range(0, 0xffff),
];

const macBytes = Buffer.alloc(6);

export function macNumber(address: MacAddress): number {
  if (!writeMac(address, macBytes, 0)) throw new Error(`${address} is no MAC address`);
  return macBytes.readUIntBE(0, 6);
}

export const portNumber = (port: Port): number =>
  typeof port === 'number' ? port : FIRST_SPECIAL_PORT + specialPorts.indexOf(port);

/** The values that a match in normal form allows in each field; undefined for a field that it does not constrain. */
export const setsOfMatch = (match: Match): (ValueSet | undefined)[] => [
  match.inPort === undefined ? undefined : only(portNumber(match.inPort)),
  match.dlSrc === undefined ? undefined : only(macNumber(match.dlSrc)),
  match.dlDst === undefined ? undefined : only(macNumber(match.dlDst)),
  tagsOf(match),
  number(match.dlVlanPcp),
  number(match.dlType),
  match.nwTos === undefined ? undefined : only(match.nwTos >> 2),
  number(match.nwProto),
  prefixSet(match.nwSrc),
  prefixSet(match.nwDst),
  number(match.tpSrc),
  number(match.tpDst),
];

const number = (value: number | undefined): ValueSet | undefined => (value === undefined ? undefined : only(value));

/** A match with a priority is for frames with a tag only. */
function tagsOf({ dlVlan, dlVlanPcp }: Match): ValueSet | undefined {
  if (dlVlan !== undefined) return only(dlVlan === 'none' ? NO_TAG : dlVlan);
  return dlVlanPcp === undefined ? undefined : TAGGED;
}

function prefixSet(prefix: Ipv4Prefix | undefined): ValueSet | undefined {
  const bits = bitsOf(prefix);
  if (bits === 0) return undefined;
  const size = 2 ** (32 - bits);
  const address = addressOf(prefix);
  const first = address - (address % size);
  return range(first, first + size - 1);
}
