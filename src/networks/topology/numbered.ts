import { stationIp, stationMac } from './published-addresses.ts';
import type { Station, TopologySwitch } from './topology.ts';

/** Names and numbers that all generated topologies share. */

/** 1 to n. */
export const upTo = (n: number): number[] => Array.from({ length: n }, (_, at) => at + 1);

export const switchCalled = (dpid: number, ports: number): TopologySwitch => ({
  name: `s${dpid}`,
  dpid,
  ports: upTo(ports),
});

/** The only station of a switch has its number. */
export const stationAt = (dpid: number, port: number): Station => ({
  name: `h${dpid}`,
  switch: `s${dpid}`,
  port,
  mac: stationMac(dpid, port),
  ip: stationIp(dpid, port),
});
