import { DPID_MAX } from './published-addresses.ts';
import { stationAt, switchCalled, upTo } from './numbered.ts';
import { checkSize } from './sizes.ts';
import type { LinkEnd, Topology } from './topology.ts';

/** A row of switches, each with one station: ports lead to the switch before, to the one after, and then to the station. */
export function linear(n: number): Topology {
  checkSize('linear', n, 1, DPID_MAX);
  const dpids = upTo(n);
  const neighbors = (dpid: number): number => Number(dpid > 1) + Number(dpid < n);
  const after = (dpid: number): LinkEnd => ({ switch: `s${dpid}`, port: dpid === 1 ? 1 : 2 });
  return {
    switches: dpids.map((dpid) => switchCalled(dpid, neighbors(dpid) + 1)),
    links: dpids.slice(1).map((dpid) => ({ ends: [after(dpid - 1), { switch: `s${dpid}`, port: 1 }] })),
    stations: dpids.map((dpid) => stationAt(dpid, neighbors(dpid) + 1)),
  };
}

/** A row whose ends are joined: port 1 leads to the switch before, port 2 to the one after, port 3 to the station. */
export function ring(n: number): Topology {
  checkSize('ring', n, 2, DPID_MAX);
  const dpids = upTo(n);
  return {
    switches: dpids.map((dpid) => switchCalled(dpid, 3)),
    // The first end of a link has the lower number.
    links: dpids.map((dpid) => {
      const [here, next] = [
        { switch: `s${dpid}`, port: 2 },
        { switch: `s${(dpid % n) + 1}`, port: 1 },
      ] as const;
      return { ends: dpid === n ? [next, here] : [here, next] };
    }),
    stations: dpids.map((dpid) => stationAt(dpid, 3)),
  };
}
