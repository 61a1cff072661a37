import { ipv4Number, writeMac } from '../bytes/addresses.ts';
import type { Action } from '../openflow/messages.ts';
import { headersOf, TAG, TYPE, VLAN } from './packet-headers.ts';
import { TOS_BITS } from './packet-fields.ts';

/** An action that changes packets. */
export type SetField = Exclude<Action, { type: 'output' | 'enqueue' | 'vendor' }>;

const TCP = 6;
const UDP = 17;
const TCP_CHECKSUM = 16;
const UDP_CHECKSUM = 6;
const IPV4_CHECKSUM = 10;

/**
 * The packet after the action; one without the field stays as it is. Checksums are updated by the difference, so that a
 * wrong one stays wrong (RFC 1624).
 */
export function withField(packet: Buffer, action: SetField): Buffer {
  switch (action.type) {
    case 'set_vlan_vid':
      return withTag(packet, (tag) => (tag & 0xf000) | action.vlanVid);
    case 'set_vlan_pcp':
      return withTag(packet, (tag) => (tag & 0x1fff) | (action.vlanPcp << 13));
    case 'strip_vlan':
      return withoutTag(packet);
    case 'set_dl_src':
      return withMac(packet, 6, action.dlAddr);
    case 'set_dl_dst':
      return withMac(packet, 0, action.dlAddr);
    case 'set_nw_src':
      return withAddress(packet, 12, ipv4Number(action.nwAddr));
    case 'set_nw_dst':
      return withAddress(packet, 16, ipv4Number(action.nwAddr));
    case 'set_nw_tos':
      return withTos(packet, action.nwTos);
    case 'set_tp_src':
      return withPort(packet, 0, action.tpPort);
    case 'set_tp_dst':
      return withPort(packet, 2, action.tpPort);
  }
}

/** Adds a tag if the packet has none. */
function withTag(packet: Buffer, changed: (tag: number) => number): Buffer {
  if (headersOf(packet)?.isTagged === true) {
    const copy = Buffer.from(packet);
    copy.writeUInt16BE(changed(copy.readUInt16BE(TYPE + 2)), TYPE + 2);
    return copy;
  }
  const tag = Buffer.alloc(TAG);
  tag.writeUInt16BE(VLAN, 0);
  tag.writeUInt16BE(changed(0), 2);
  return Buffer.concat([packet.subarray(0, TYPE), tag, packet.subarray(TYPE)]);
}

const withoutTag = (packet: Buffer): Buffer =>
  headersOf(packet)?.isTagged === true
    ? Buffer.concat([packet.subarray(0, TYPE), packet.subarray(TYPE + TAG)])
    : packet;

function withMac(packet: Buffer, at: number, address: string): Buffer {
  const copy = Buffer.from(packet);
  writeMac(address, copy, at);
  return copy;
}

/** The addresses are also part of the checksum of TCP and UDP. */
function withAddress(packet: Buffer, at: number, address: number): Buffer {
  const ipv4 = headersOf(packet)?.ipv4;
  if (ipv4 === undefined) return packet;
  const copy = Buffer.from(packet);
  const transport = transportChecksum(copy);
  for (const [half, word] of [address >>> 16, address & 0xffff].entries()) {
    const place = ipv4 + at + 2 * half;
    const old = copy.readUInt16BE(place);
    copy.writeUInt16BE(word, place);
    updateChecksum(copy, ipv4 + IPV4_CHECKSUM, old, word);
    updateTransportChecksum(copy, transport, old, word);
  }
  return copy;
}

/** The lowest two bits are not part of the field, and stay. */
function withTos(packet: Buffer, tos: number): Buffer {
  const ipv4 = headersOf(packet)?.ipv4;
  if (ipv4 === undefined) return packet;
  const copy = Buffer.from(packet);
  const old = copy.readUInt16BE(ipv4);
  const word = (old & (0xffff ^ TOS_BITS)) | tos;
  copy.writeUInt16BE(word, ipv4);
  updateChecksum(copy, ipv4 + IPV4_CHECKSUM, old, word);
  return copy;
}

/** Of TCP and UDP. */
function withPort(packet: Buffer, at: number, port: number): Buffer {
  const transport = transportChecksum(packet);
  const place = headersOf(packet)?.transport;
  if (transport === undefined || place === undefined) return packet;
  const copy = Buffer.from(packet);
  const old = copy.readUInt16BE(place + at);
  copy.writeUInt16BE(port, place + at);
  updateTransportChecksum(copy, transport, old, port);
  return copy;
}

interface TransportChecksum {
  readonly at: number;
  readonly isUdp: boolean;
}

function transportChecksum(packet: Buffer): TransportChecksum | undefined {
  const { ipv4, transport } = headersOf(packet) ?? {};
  if (ipv4 === undefined || transport === undefined) return undefined;
  const protocol = packet[ipv4 + 9];
  if (protocol === TCP) return { at: transport + TCP_CHECKSUM, isUdp: false };
  return protocol === UDP ? { at: transport + UDP_CHECKSUM, isUdp: true } : undefined;
}

function updateTransportChecksum(
  bytes: Buffer,
  checksum: TransportChecksum | undefined,
  old: number,
  word: number,
): void {
  if (checksum === undefined) return;
  const { at, isUdp } = checksum;
  // In UDP, 0 means that there is no checksum, and the other number for zero is written instead.
  if (isUdp && bytes.readUInt16BE(at) === 0) return;
  updateChecksum(bytes, at, old, word);
  if (isUdp && bytes.readUInt16BE(at) === 0) bytes.writeUInt16BE(0xffff, at);
}

/** A word of the checksummed data has changed. */
function updateChecksum(bytes: Buffer, at: number, old: number, word: number): void {
  const sum = (~bytes.readUInt16BE(at) & 0xffff) + (~old & 0xffff) + word;
  const folded = (sum & 0xffff) + (sum >>> 16);
  bytes.writeUInt16BE(~((folded & 0xffff) + (folded >>> 16)) & 0xffff, at);
}
