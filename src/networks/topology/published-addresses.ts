import type { Ipv4Address, MacAddress } from '../bytes/data.ts';

/** The addresses that the published code of STS gives to ports and stations, continued beyond 255 switches. */

/** The largest number of a switch for which each station has an address of its own. */
export const DPID_MAX = 0x7fff;

/** The largest number of a port: it is one byte of an address. */
export const PORT_MAX = 0xff;

export const portMac = (dpid: number, port: number): MacAddress => macOf(0, 0, dpid >>> 16, dpid >>> 8, dpid, port);

export const stationMac = (dpid: number, port: number): MacAddress =>
  macOf(0x12, 0x34, 0x56, 0x78 + (dpid >>> 8), dpid, port);

export const stationIp = (dpid: number, port: number): Ipv4Address =>
  `123.${123 + (dpid >>> 8)}.${dpid & 0xff}.${port}`;

const octets = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * The address of the lowest bytes of these numbers. Joined, because a template of so many parts takes three times the memory, and large
 * networks have a million addresses.
 */
export const macOf = (...bytes: readonly number[]): MacAddress => bytes.map((byte) => octets[byte & 0xff]).join(':');
