import { macAt } from '../bytes/addresses.ts';
import type { MacAddress } from '../bytes/data.ts';
import type { Port } from '../openflow/messages.ts';
import { headersOf, TYPE, type PacketHeaders } from './packet-headers.ts';

/** The fields of a packet that matches are compared with. A field that the packet does not have is 0. */
export interface PacketFields {
  /** The port at which it arrived. */
  readonly inPort: Port;
  /** The MAC address of the sender. */
  readonly dlSrc: MacAddress;
  /** The MAC address of the receiver. */
  readonly dlDst: MacAddress;
  /** The number of its virtual LAN; `none` without a tag. */
  readonly dlVlan: number | 'none';
  /** The priority in the tag, from 0 to 7. */
  readonly dlVlanPcp: number;
  /** The EtherType, also behind a tag or in a SNAP header; 0x05ff for frames of 802.3 that have none. */
  readonly dlType: number;
  /** The upper six bits of the type of service; the lower two are 0. */
  readonly nwTos: number;
  /** Of ARP, the operation. */
  readonly nwProto: number;
  /** The IPv4 address of the sender, as a number; of ARP, that in the request or reply. */
  readonly nwSrc: number;
  /** The IPv4 address of the receiver, as a number; of ARP, that in the request or reply. */
  readonly nwDst: number;
  /** Of ICMP, type and code. */
  readonly tpSrc: number;
  /** The port of TCP or UDP that receives; the code of ICMP. */
  readonly tpDst: number;
}

const ICMP = 1;
/** The bits of `nw_tos`: the others are no part of a match. */
export const TOS_BITS = 0xfc;

/** Undefined if the packet is shorter than an Ethernet header. */
export function fieldsOf(packet: Buffer, inPort: Port): PacketFields | undefined {
  const headers = headersOf(packet);
  if (headers === undefined) return undefined;
  const tag = headers.isTagged ? packet.readUInt16BE(TYPE + 2) : undefined;
  return {
    inPort,
    dlSrc: macAt(packet, 6),
    dlDst: macAt(packet, 0),
    dlVlan: tag === undefined ? 'none' : tag & 0xfff,
    dlVlanPcp: tag === undefined ? 0 : tag >>> 13,
    dlType: headers.dlType,
    ...networkFields(packet, headers),
    ...transportFields(packet, headers),
  };
}

type NetworkFields = Pick<PacketFields, 'nwTos' | 'nwProto' | 'nwSrc' | 'nwDst'>;

function networkFields(packet: Buffer, { ipv4, arp }: PacketHeaders): NetworkFields {
  if (ipv4 !== undefined) {
    return {
      nwTos: (packet[ipv4 + 1] as number) & TOS_BITS,
      nwProto: packet[ipv4 + 9] as number,
      nwSrc: packet.readUInt32BE(ipv4 + 12),
      nwDst: packet.readUInt32BE(ipv4 + 16),
    };
  }
  if (arp === undefined) return { nwTos: 0, nwProto: 0, nwSrc: 0, nwDst: 0 };
  const operation = packet.readUInt16BE(arp + 6);
  return {
    nwTos: 0,
    // The field has 8 bits.
    nwProto: operation > 0xff ? 0 : operation,
    nwSrc: packet.readUInt32BE(arp + 14),
    nwDst: packet.readUInt32BE(arp + 24),
  };
}

/** A fragment has none, so that all fragments of a packet match the same entries. */
function transportFields(
  packet: Buffer,
  { ipv4, transport, isFragment }: PacketHeaders,
): Pick<PacketFields, 'tpSrc' | 'tpDst'> {
  if (ipv4 === undefined || transport === undefined || isFragment) return { tpSrc: 0, tpDst: 0 };
  if (packet[ipv4 + 9] === ICMP) {
    return { tpSrc: packet[transport] as number, tpDst: packet[transport + 1] as number };
  }
  return { tpSrc: packet.readUInt16BE(transport), tpDst: packet.readUInt16BE(transport + 2) };
}
