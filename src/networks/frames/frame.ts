import type { SetBits, Hex, Ipv4Address, MacAddress } from '../bytes/data.ts';

/**
 * An Ethernet frame as plain data, in the words of OpenFlow. A length or checksum is computed when the frame is built,
 * and is only in the data if it differs from the computed one: in a frame that is damaged or cut off.
 */
export interface Frame {
  /** The MAC address of the receiver; ff:ff:ff:ff:ff:ff for all. */
  readonly dlDst: MacAddress;
  /** The MAC address of the sender. */
  readonly dlSrc: MacAddress;
  /** The tag of a virtual LAN (802.1Q). */
  readonly vlan?: Vlan;
  /** 0x0800 for IPv4, 0x0806 for ARP, 0x88cc for LLDP, 0x8942 for BDDP. */
  readonly dlType: number;
  /** What the frame carries; `opaque` for any other protocol, and for bytes that do not parse. */
  readonly payload: Arp | Ipv4 | Lldp | Opaque;
  /** Bytes after the payload, such as those that fill up a short frame. */
  readonly padding?: Hex;
}

/** The tag of a virtual network. */
export interface Vlan {
  /** The number of the virtual LAN, from 0 to 4,095. */
  readonly id: number;
  /** The priority, from 0 to 7. */
  readonly pcp: number;
  /** Whether it may be dropped first. */
  readonly dei: boolean;
}

/** Bytes that are not looked at. */
export interface Opaque {
  readonly kind: 'opaque';
  /** The bytes, as hexadecimal text. */
  readonly data: Hex;
}

/** A request or reply for the MAC address of an IPv4 address. */
export interface Arp {
  readonly kind: 'arp';
  /** 1 is a request, 2 a reply. */
  readonly op: number;
  /** The MAC address of the sender. */
  readonly sha: MacAddress;
  /** The IPv4 address of the sender. */
  readonly spa: Ipv4Address;
  /** The MAC address that is asked for: zeros in a request. */
  readonly tha: MacAddress;
  /** The IPv4 address that is asked for; in a reply, of the station that asked. */
  readonly tpa: Ipv4Address;
}

/** A packet of IPv4. */
export interface Ipv4 {
  readonly kind: 'ipv4';
  /** The address of the sender. */
  readonly nwSrc: Ipv4Address;
  /** The address of the receiver. */
  readonly nwDst: Ipv4Address;
  /** The type of service: six bits of DSCP, and two of ECN. */
  readonly nwTos: number;
  /** 1 for ICMP, 6 for TCP, 17 for UDP. */
  readonly nwProto: number;
  /** How many routers it may still cross. */
  readonly ttl: number;
  /** The same in all fragments of a packet. */
  readonly id: number;
  /** Whether it may be cut into fragments, and whether more of them follow. */
  readonly flags: SetBits<Ipv4Flag>;
  /** In units of 8 bytes. The payload of a fragment is opaque. */
  readonly fragmentOffset: number;
  /** The bytes between the fixed header and the payload, in multiples of 4. */
  readonly options?: Hex;
  /** Present if it is not the length of header and payload. */
  readonly totalLength?: number;
  /** Present if it is not that of the header. */
  readonly checksum?: number;
  /** What the packet carries; `opaque` for other protocols, and for fragments. */
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
  /** The reason within the type; 0 for echoes. */
  readonly icmpCode: number;
  /** Present if it is not that of the message. */
  readonly checksum?: number;
  /** Of an echo. */
  readonly echo?: { readonly id: number; readonly seq: number };
  /** The bytes after the header, as hexadecimal text. */
  readonly data: Hex;
}

/** A segment of TCP. */
export interface Tcp {
  readonly kind: 'tcp';
  /** The port that sends. */
  readonly tpSrc: number;
  /** The port that receives. */
  readonly tpDst: number;
  /** The number of the first byte of `data` in the stream. */
  readonly seq: number;
  /** The number of the next byte that the sender expects; of meaning with the flag `ack`. */
  readonly ack: number;
  /** The flags that are set, such as `syn`. */
  readonly flags: SetBits<TcpFlag>;
  /** How many bytes the sender would take, before scaling. */
  readonly window: number;
  /** The end of urgent data, counted from `seq`; of meaning with the flag `urg`. */
  readonly urgent: number;
  /** The bytes between the fixed header and the data, in multiples of 4. */
  readonly options?: Hex;
  /** Present if it is not that of segment and pseudo-header. */
  readonly checksum?: number;
  /** The bytes of the stream, as hexadecimal text. */
  readonly data: Hex;
}

/** From the lowest bit. */
export const tcpFlags = ['fin', 'syn', 'rst', 'psh', 'ack', 'urg', 'ece', 'cwr', 'ns'] as const;
type TcpFlag = (typeof tcpFlags)[number];

/** A datagram of UDP. */
export interface Udp {
  readonly kind: 'udp';
  /** The port that sends. */
  readonly tpSrc: number;
  /** The port that receives. */
  readonly tpDst: number;
  /** Present if it is not the length of header and data. */
  readonly length?: number;
  /** 0 if the sender computed none. */
  readonly checksum?: number;
  /** The bytes after the header, as hexadecimal text. */
  readonly data: Hex;
}

/** Link discovery: LLDP, and BDDP, which has the same contents and crosses switches that do not know it. */
export interface Lldp {
  readonly kind: 'lldp';
  /** The switch that sends: what kind of name it is, and its bytes. */
  readonly chassisId: { readonly subtype: number; readonly id: Hex };
  /** The port that sends: what kind of name it is, and its bytes. */
  readonly portId: { readonly subtype: number; readonly id: Hex };
  /** For how many seconds a receiver may believe it. */
  readonly ttl: number;
  /** The others, in their order, without the one that marks the end. */
  readonly tlvs: readonly Tlv[];
}

/** Type, length and value; the length follows from the value. */
export interface Tlv {
  readonly type: number;
  readonly value: Hex;
}
