import type { DeclaredLink } from '../../kernel/declaration.ts';
import type { AnyPhrases } from '../../system/phrases.ts';
import type { ProcessTopology } from '../../trace/topology.ts';
import { portMac } from '../topology/published-addresses.ts';
import { laneOfLink, type LinkEnd, type Topology } from '../topology/topology.ts';
import { networkPhrases } from '../words/network-phrases.ts';
import { actionsOf, type NetworkActions } from './actions.ts';
import { BadNetwork, Names } from './names.ts';
import { networkSwitch, type NetworkSwitch } from './network-switch.ts';
import type { NetworkPort } from './network-switch-state.ts';
import { networkOptions, type NetworkOptions } from './options.ts';
import { trafficIn, type Traffic } from './traffic.ts';

/** The parts of a system that make up a network, for `defineSystem`; and its traffic, for the workload. */
export interface Network extends Traffic {
  /** The switches, by name. */
  readonly processes: Readonly<Record<string, NetworkSwitch>>;
  /** The links between switches, and the channels to controllers. */
  readonly links: readonly DeclaredLink[];
  /** What stations do that may move; none without the option `migrations`. */
  readonly actions: Partial<NetworkActions>;
  /** The network as traces store it and pages draw it. */
  readonly topology: ProcessTopology;
  /** Words for its messages and switches. */
  readonly phrases: AnyPhrases;
}

/** A network of switches that processes control: its parts are spread into `defineSystem`. */
export function network(topology: Topology, options: NetworkOptions = {}): Network {
  const given = networkOptions.checked(options);
  const names = new Names(topology);
  const canMove = (given.migrations ?? false) !== false;
  const controllersOf = controllersFrom(given);
  const drawing = drawingOf(topology, controllersOf);
  return {
    processes: switchesOf(topology, given, controllersOf),
    links: [...dataLinks(topology, given), ...channels(topology, given, controllersOf)],
    actions: canMove ? actionsOf(topology, names) : {},
    topology: drawing,
    phrases: networkPhrases(drawing.stations === undefined ? {} : { stations: drawing.stations }),
    ...trafficIn(topology, names, canMove),
  };
}

type ControllersOf = (name: string) => readonly string[];

const controllersFrom = ({ controllers = [] }: NetworkOptions): ControllersOf =>
  typeof controllers === 'function' ? controllers : () => controllers;

function switchesOf(
  topology: Topology,
  { switches = {}, stations = {}, migrations }: NetworkOptions,
  controllersOf: ControllersOf,
): Record<string, NetworkSwitch> {
  const ports = portsOf(topology);
  return Object.fromEntries(
    topology.switches.map(({ name, dpid }) => [
      name,
      networkSwitch({
        ...switches,
        datapathId: dpid,
        controllers: controllersOf(name),
        ports: ports.get(name) as NetworkPort[],
        answers: stations,
        announces: migrations === 'announced',
      }),
    ]),
  );
}

/** The ports of each switch, in ascending order, with the other ends of their links. */
function portsOf({ switches, links, stations }: Topology): Map<string, NetworkPort[]> {
  const ports = new Map(
    switches.map(({ name, dpid, ports: numbers }) => [
      name,
      numbers.map((portNo): MadePort => ({ portNo, hwAddr: portMac(dpid, portNo) })),
    ]),
  );
  const portAt = ({ switch: name, port: number }: LinkEnd): MadePort => {
    const all = ports.get(name);
    // Usually numbered from 1, in order.
    const guess = all?.[number - 1];
    const port = guess?.portNo === number ? guess : all?.find(({ portNo }) => portNo === number);
    if (port !== undefined) return port;
    throw new BadNetwork(`there is no port ${name}.${number}.`, 'Use topologyFrom(…) to check the topology.');
  };
  for (const link of links) {
    const lane = laneOfLink(link);
    const [one, other] = link.ends;
    portAt(one).peer = { process: other.switch, port: other.port, lane };
    portAt(other).peer = { process: one.switch, port: one.port, lane };
  }
  for (const station of stations) {
    const { name, mac, ip } = station;
    portAt(station).station = { name, mac, ip };
  }
  return ports;
}

type MadePort = { -readonly [K in keyof NetworkPort]: NetworkPort[K] };

/** Frames on a link that is cut are lost, and both of its ends notice. */
const dataLinks = ({ links }: Topology, { reorder = false, oneSided = false }: NetworkOptions): DeclaredLink[] =>
  links.map((link) => ({
    between: [link.ends[0].switch, link.ends[1].switch],
    lane: laneOfLink(link),
    order: reorder ? 'unordered' : 'fifo',
    onCut: 'drop',
    reports: oneSided ? 'first' : true,
  }));

/** A channel is a TCP connection: it keeps the order and loses nothing; while it is cut, messages wait. */
const channels = (
  { switches }: Topology,
  { channelCuts = false }: NetworkOptions,
  controllersOf: ControllersOf,
): DeclaredLink[] =>
  switches.flatMap(({ name }) =>
    controllersOf(name).map((controller): DeclaredLink => ({
      between: [controller, name],
      order: 'fifo',
      onCut: 'hold',
      losses: false,
      duplicates: false,
      // Left out where cuts are possible: a link that allows them explicitly needs a budget.
      ...(channelCuts ? {} : { partitions: false }),
    })),
  );

const drawingOf = ({ switches, links, stations }: Topology, controllersOf: ControllersOf): ProcessTopology => ({
  nodes: switches.map(({ name }) => name),
  links: links.map((link) => ({
    ends: [
      { process: link.ends[0].switch, port: link.ends[0].port },
      { process: link.ends[1].switch, port: link.ends[1].port },
    ],
    lane: laneOfLink(link),
  })),
  stations: stations.map(({ name, switch: process, port, mac, ip }) => ({ name, process, port, addresses: [mac, ip] })),
  controllers: [...new Set(switches.flatMap(({ name }) => controllersOf(name)))],
});
