import { BadCapture } from '../captures/bad-capture.ts';
import { fatTree } from '../topology/fat-tree.ts';
import { mesh } from '../topology/mesh.ts';
import { endText, type LinkEnd, type Topology } from '../topology/topology.ts';
import { injectedPacket } from './injected-packet.ts';
import { numberIn, switchName, type StsEvent } from './sts-event.ts';

/** A topology, and what to call it: `mesh(4)`. */
export interface NamedTopology {
  readonly name: string;
  readonly topology: Topology;
}

/** What a trace says of its topology. */
interface Seen {
  readonly dpids: ReadonlySet<number>;
  readonly links: readonly (readonly [LinkEnd, LinkEnd])[];
  readonly macs: ReadonlySet<string>;
}

/**
 * The topology of a trace of STS, whose file does not name it: the smallest mesh or fat tree with its switches, the links that fail in it,
 * and the addresses of stations that send. STS numbers the ports of these as we do.
 */
export function topologyOfSts(events: readonly StsEvent[]): NamedTopology {
  const seen = seenIn(events);
  const switches = Math.max(1, ...seen.dpids);
  const found = candidates(switches).find(({ topology }) => fits(topology, seen));
  if (found !== undefined) return found;
  throw new BadCapture(
    `no mesh and no fat tree has the ${switches} switches, the links and the stations of the trace.`,
    'Name its topology: --topology linear(3), or the path of a JSON file.',
  );
}

/** A mesh has as many switches as the highest number; a fat tree at least so many. */
function candidates(switches: number): NamedTopology[] {
  const trees = [4, 6, 8, 10, 12].map((k) => ({ name: `fatTree(${k})`, topology: () => fatTree(k), k }));
  const tree = trees.find(({ k }) => (5 * k * k) / 4 >= switches);
  return [
    { name: `mesh(${switches})`, topology: mesh(switches) },
    ...(tree === undefined ? [] : [{ name: tree.name, topology: tree.topology() }]),
  ];
}

function fits({ switches, links, stations }: Topology, seen: Seen): boolean {
  const known = new Set(links.map(({ ends: [one, other] }) => linkText(one, other)));
  const macs = new Set(stations.map(({ mac }) => mac));
  return (
    seen.dpids.size <= switches.length &&
    seen.links.every(([one, other]) => known.has(linkText(one, other))) &&
    [...seen.macs].every((mac) => macs.has(mac))
  );
}

/** Equal for both orders of the ends. */
const linkText = (one: LinkEnd, other: LinkEnd): string => [endText(one), endText(other)].toSorted().join(' ');

function seenIn(events: readonly StsEvent[]): Seen {
  const dpids = new Set<number>();
  const links: [LinkEnd, LinkEnd][] = [];
  const macs = new Set<string>();
  for (const event of events) {
    for (const name of DPID_FIELDS) if (typeof event.fields[name] === 'number') dpids.add(event.fields[name]);
    if (event.of === 'LinkFailure' || event.of === 'LinkRecovery') links.push(linkIn(event));
    const packet = event.of === 'TrafficInjection' ? injectedPacket(event.fields['dp_event']) : undefined;
    if (packet !== undefined) macs.add(packet.from);
  }
  return { dpids, links, macs };
}

const DPID_FIELDS = ['dpid', 'start_dpid', 'end_dpid', 'old_ingress_dpid', 'new_ingress_dpid'] as const;

/** The ends of the link that fails or recovers. */
export const linkIn = (event: StsEvent): [LinkEnd, LinkEnd] => [
  { switch: switchName(numberIn(event, 'start_dpid')), port: numberIn(event, 'start_port_no') },
  { switch: switchName(numberIn(event, 'end_dpid')), port: numberIn(event, 'end_port_no') },
];
