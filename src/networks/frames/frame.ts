import type { SetBits, Hex, Ipv4Address, MacAddress } from '../bytes/data.ts';

/**
 * An Ethernet frame as plain data, in the words of OpenFlow. A length or checksum is computed when the frame is built,
 * and is only in the data if it differs from the computed one: in a frame that is damaged or cut off.
 */
export interface Frame {
  readonly dlDst: MacAddress;
  readonly dlSrc: MacAddress;
  /** The tag of a virtual LAN (802.1Q). */
  readonly vlan?: Vlan;
  /** 0x0800 for IPv4, 0x0806 for ARP, 0x88cc for LLDP, 0x8942 for BDDP. */
  readonly dlType: number;
  readonly payload: Arp | Ipv4 | Lldp | Opaque;
  /** Bytes after the payload, such as those that fill up a short frame. */
  readonly padding?: Hex;
}

/** The tag of a virtual network. */
export interface Vlan {
  readonly id: number;
  readonly pcp: number;
  /** Whether it may be dropped first. */
  readonly dei: boolean;
}

/** Bytes that are not looked at. */
export interface Opaque {
  readonly kind: 'opaque';
  readonly data: Hex;
}

/** A request or reply for the MAC address of an IPv4 address. */
export interface Arp {
  readonly kind: 'arp';
  /** 1 is a request, 2 a reply. */
  readonly op: number;
  readonly sha: MacAddress;
  readonly spa: Ipv4Address;
  readonly tha: MacAddress;
  readonly tpa: Ipv4Address;
}

/** A packet of IPv4. */
export interface Ipv4 {
  readonly kind: 'ipv4';
  readonly nwSrc: Ipv4Address;
  readonly nwDst: Ipv4Address;
  readonly nwTos: number;
  /** 1 for ICMP, 6 for TCP, 17 for UDP. */
  readonly nwProto: number;
  readonly ttl: number;
  readonly id: number;
  readonly flags: SetBits<Ipv4Flag>;
  /** In units of 8 bytes. The payload of a fragment is opaque. */
  readonly fragmentOffset: number;
  readonly options?: Hex;
  readonly totalLength?: number;
  readonly checksum?: number;
  readonly payload: Icmp | Tcp | Udp | Opaque;
}

/** From the lowest bit. */
export const ipv4Flags = ['more_fragments', 'dont_fragment'] as const;
type Ipv4Flag = (typeof ipv4Flags)[number];

/** A message of ICMP. */
export interface Icmp {
  readonly kind: 'icmp';
  /** 8 is an echo request, 0 a reply. */
  readonly icmpType: number;
  readonly icmpCode: number;
  readonly checksum?: number;
  /** Of an echo. */
  readonly echo?: { readonly id: number; readonly seq: number };
  readonly data: Hex;
}

/** A segment of TCP. */
export interface Tcp {
  readonly kind: 'tcp';
  readonly tpSrc: number;
  readonly tpDst: number;
  readonly seq: number;
  readonly ack: number;
  readonly flags: SetBits<TcpFlag>;
  readonly window: number;
  readonly urgent: number;
  readonly options?: Hex;
  readonly checksum?: number;
  readonly data: Hex;
}

/** From the lowest bit. */
export const tcpFlags = ['fin', 'syn', 'rst', 'psh', 'ack', 'urg', 'ece', 'cwr', 'ns'] as const;
type TcpFlag = (typeof tcpFlags)[number];

/** A datagram of UDP. */
export interface Udp {
  readonly kind: 'udp';
  readonly tpSrc: number;
  readonly tpDst: number;
  readonly length?: number;
  /** 0 if the sender computed none. */
  readonly checksum?: number;
  readonly data: Hex;
}

/** Link discovery: LLDP, and BDDP, which has the same contents and crosses switches that do not know it. */
export interface Lldp {
  readonly kind: 'lldp';
  readonly chassisId: { readonly subtype: number; readonly id: Hex };
  readonly portId: { readonly subtype: number; readonly id: Hex };
  readonly ttl: number;
  /** The others, in their order, without the one that marks the end. */
  readonly tlvs: readonly Tlv[];
}

/** Type, length and value; the length follows from the value. */
export interface Tlv {
  readonly type: number;
  readonly value: Hex;
}
