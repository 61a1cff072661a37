import { PORT_MAX } from './published-addresses.ts';
import { checkSize } from './sizes.ts';
import { stationAt, switchCalled, upTo } from './numbered.ts';
import type { Topology, TopologyLink } from './topology.ts';

/**
 * Every switch has a link to every other, and one station. The numbering is that of STS, so that its traces fit: the ports 1
 * to n - 1 of a switch lead to the others in descending order, and port n to its station.
 */
export function mesh(n: number): Topology {
  checkSize('mesh', n, 1, PORT_MAX);
  const dpids = upTo(n);
  return {
    switches: dpids.map((dpid) => switchCalled(dpid, n)),
    links: dpids.flatMap((one) =>
      dpids
        .slice(one)
        .map((other) => linkBetween(one, other, n))
        .reverse(),
    ),
    stations: dpids.map((dpid) => stationAt(dpid, n)),
  };
}

const linkBetween = (one: number, other: number, n: number): TopologyLink => ({
  ends: [
    { switch: `s${one}`, port: portTo(one, other, n) },
    { switch: `s${other}`, port: portTo(other, one, n) },
  ],
});

/** The others in descending order, without the switch itself. */
const portTo = (from: number, to: number, n: number): number => (to > from ? n - to + 1 : n - to);
