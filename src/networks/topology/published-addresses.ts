import type { Ipv4Address, MacAddress } from '../bytes/data.ts';

/** The addresses that the published code of STS gives to ports and stations, continued beyond 255 switches. */

/** The largest number of a switch for which each station has an address of its own. */
export const DPID_MAX = 0x7fff;

/** The largest number of a port: it is one byte of an address. */
export const PORT_MAX = 0xff;

export const portMac = (dpid: number, port: number): MacAddress =>
  `00:00:${octet(dpid >>> 16)}:${octet(dpid >>> 8)}:${octet(dpid)}:${octet(port)}`;

export const stationMac = (dpid: number, port: number): MacAddress =>
  `12:34:56:${octet(0x78 + (dpid >>> 8))}:${octet(dpid)}:${octet(port)}`;

export const stationIp = (dpid: number, port: number): Ipv4Address =>
  `123.${123 + (dpid >>> 8)}.${dpid & 0xff}.${port}`;

const octets = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The lowest byte of a number, as two digits. */
export const octet = (number: number): string => octets[number & 0xff] as string;
