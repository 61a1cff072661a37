import { ipv4Number, ipv4Text } from '../bytes/addresses.ts';
import type { Ipv4Prefix, Match } from './messages.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

/** The length of a match. */
export const MATCH = 40;

/** Wildcard bits. For the network addresses, a number of six bits says how many bits are ignored. */
const IN_PORT = 1 << 0;
const DL_VLAN = 1 << 1;
const DL_SRC = 1 << 2;
const DL_DST = 1 << 3;
const DL_TYPE = 1 << 4;
const NW_PROTO = 1 << 5;
const TP_SRC = 1 << 6;
const TP_DST = 1 << 7;
const NW_SRC_SHIFT = 8;
const NW_DST_SHIFT = 14;
const NW_BITS = 0x3f;
const DL_VLAN_PCP = 1 << 20;
const NW_TOS = 1 << 21;

const VLAN_NONE = 0xffff;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Fields under a wildcard are not read: the standard ignores their bytes. */
export function readMatch(reader: Reader): Match {
  const start = reader.at;
  const match: Writable<Match> = {};
  const wild = reader.u32();
  if ((wild & IN_PORT) === 0) match.inPort = reader.port();
  readLink(reader, start, wild, match);
  readNetwork(reader, start, wild, match);
  reader.at = start + MATCH;
  return match;
}

function readLink(reader: Reader, start: number, wild: number, match: Writable<Match>): void {
  reader.at = start + 6;
  if ((wild & DL_SRC) === 0) match.dlSrc = reader.mac();
  reader.at = start + 12;
  if ((wild & DL_DST) === 0) match.dlDst = reader.mac();
  reader.at = start + 18;
  const vlan = reader.u16();
  if ((wild & DL_VLAN) === 0) match.dlVlan = vlan === VLAN_NONE ? 'none' : vlan;
  const priority = reader.u8();
  if ((wild & DL_VLAN_PCP) === 0) match.dlVlanPcp = priority;
  reader.skip(1);
  const type = reader.u16();
  if ((wild & DL_TYPE) === 0) match.dlType = type;
}

function readNetwork(reader: Reader, start: number, wild: number, match: Writable<Match>): void {
  reader.at = start + 24;
  const tos = reader.u8();
  const proto = reader.u8();
  reader.skip(2);
  const [source, destination] = [reader.u32(), reader.u32()];
  const [sourcePort, destinationPort] = [reader.u16(), reader.u16()];
  if ((wild & NW_TOS) === 0) match.nwTos = tos;
  if ((wild & NW_PROTO) === 0) match.nwProto = proto;
  const sourceIgnored = (wild >>> NW_SRC_SHIFT) & NW_BITS;
  if (sourceIgnored < 32) match.nwSrc = prefixText(source, sourceIgnored);
  const destinationIgnored = (wild >>> NW_DST_SHIFT) & NW_BITS;
  if (destinationIgnored < 32) match.nwDst = prefixText(destination, destinationIgnored);
  if ((wild & TP_SRC) === 0) match.tpSrc = sourcePort;
  if ((wild & TP_DST) === 0) match.tpDst = destinationPort;
}

const prefixText = (address: number, ignored: number): Ipv4Prefix =>
  ignored === 0 ? ipv4Text(address) : `${ipv4Text((address >>> ignored) << ignored)}/${32 - ignored}`;

/** Writes zeros under wildcards. */
export function writeMatch(writer: Writer, match: Match): void {
  const start = writer.at;
  writer.zeros(4);
  const link = writeLink(writer, match);
  writer.patch32(start, link | writeNetwork(writer, match));
}

/** Returns the wildcards of these fields. */
function writeLink(writer: Writer, match: Match): number {
  const { inPort, dlSrc, dlDst, dlVlan, dlVlanPcp, dlType } = match;
  let wild = 0;
  if (inPort === undefined) wild |= wildcard(writer, 2, IN_PORT);
  else writer.port('match.inPort', inPort);
  if (dlSrc === undefined) wild |= wildcard(writer, 6, DL_SRC);
  else writer.mac('match.dlSrc', dlSrc);
  if (dlDst === undefined) wild |= wildcard(writer, 6, DL_DST);
  else writer.mac('match.dlDst', dlDst);
  if (dlVlan === undefined) wild |= wildcard(writer, 2, DL_VLAN);
  else writeVlan(writer, dlVlan);
  if (dlVlanPcp === undefined) wild |= wildcard(writer, 1, DL_VLAN_PCP);
  else writer.u8('match.dlVlanPcp', dlVlanPcp);
  writer.zeros(1);
  if (dlType === undefined) wild |= wildcard(writer, 2, DL_TYPE);
  else writer.u16('match.dlType', dlType);
  return wild;
}

function writeNetwork(writer: Writer, match: Match): number {
  const { nwTos, nwProto, nwSrc, nwDst, tpSrc, tpDst } = match;
  let wild = 0;
  if (nwTos === undefined) wild |= wildcard(writer, 1, NW_TOS);
  else writer.u8('match.nwTos', nwTos);
  if (nwProto === undefined) wild |= wildcard(writer, 1, NW_PROTO);
  else writer.u8('match.nwProto', nwProto);
  writer.zeros(2);
  wild |= writePrefix(writer, 'match.nwSrc', nwSrc) << NW_SRC_SHIFT;
  wild |= writePrefix(writer, 'match.nwDst', nwDst) << NW_DST_SHIFT;
  if (tpSrc === undefined) wild |= wildcard(writer, 2, TP_SRC);
  else writer.u16('match.tpSrc', tpSrc);
  if (tpDst === undefined) wild |= wildcard(writer, 2, TP_DST);
  else writer.u16('match.tpDst', tpDst);
  return wild;
}

function wildcard(writer: Writer, count: number, bit: number): number {
  writer.zeros(count);
  return bit;
}

function writeVlan(writer: Writer, vlan: number | 'none'): void {
  if (vlan === VLAN_NONE) throw writer.isNot('match.dlVlan', vlan, 'a number below 65535, or none');
  writer.u16('match.dlVlan', vlan === 'none' ? VLAN_NONE : vlan);
}

/** Returns how many bits of the address are ignored. */
function writePrefix(writer: Writer, field: string, prefix: Ipv4Prefix | undefined): number {
  if (prefix === undefined) {
    writer.zeros(4);
    return 32;
  }
  const slash = typeof prefix === 'string' ? prefix.indexOf('/') : -1;
  if (slash === -1) {
    writer.ipv4(field, prefix);
    return 0;
  }
  const address = ipv4Number(prefix, slash);
  const length = /^(?:[1-9]|[12]\d|3[01])$/.test(prefix.slice(slash + 1)) ? Number(prefix.slice(slash + 1)) : 0;
  const left = 32 - length;
  if (address < 0 || length === 0 || ((address >>> left) << left) >>> 0 !== address) {
    throw writer.isNot(field, prefix, 'an IPv4 prefix such as 192.0.2.0/24: of 1 to 31 bits, followed by zeros');
  }
  writer.u32(field, address);
  return left;
}
