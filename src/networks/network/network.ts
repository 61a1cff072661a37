import type { DeclaredLink, PassingRule } from '../../kernel/declaration.ts';
import type { MinimizeHints } from '../../system/definition.ts';
import type { AnyPhrases } from '../../system/phrases.ts';
import type { StepCommand } from '../../system/step-commands.ts';
import type { ProcessTopology } from '../../trace/topology.ts';
import { networkFingerprint, type NetworkFingerprint } from '../fingerprint/fingerprint.ts';
import { portMac } from '../topology/published-addresses.ts';
import { laneOfLink, type LinkEnd, type Topology } from '../topology/topology.ts';
import { networkPhrases } from '../words/network-phrases.ts';
import type { GivenFaultRates } from '../../system/fault-rates.ts';
import { recovery } from '../switch/switch-faults.ts';
import { actionsOf, type NetworkActions } from './actions.ts';
import { deliveryRates } from './delivery-rates.ts';
import { networkFaults, type DeliveryRates } from './network-faults.ts';
import { BadNetwork, Names } from './names.ts';
import { networkSwitch, type NetworkSwitch } from './network-switch.ts';
import type { NetworkPort } from './network-switch-state.ts';
import { addressOf } from './station.ts';
import { networkOptions, type NetworkOptions } from './options.ts';
import { passingIn } from './passing.ts';
import { networkCommands } from './step-commands.ts';
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
  /** How likely frames and messages are lost, or wait. */
  readonly faultRates: (rates: DeliveryRates) => GivenFaultRates;
  /** For minimizing: switches and controllers always start, and a control failure goes with its recovery. */
  readonly minimize: NetworkHints;
  /** What counts of its messages when two executions are compared, for `minimize`. */
  readonly fingerprint: NetworkFingerprint;
  /** What replays do not compare. */
  readonly passing: readonly PassingRule<unknown>[];
  /** What `culprit step` can do with it, and show of it. */
  readonly commands: Readonly<Record<string, StepCommand>>;
}

/** A network of switches that processes control: its parts are spread into `defineSystem`. */
export function network(topology: Topology, options: NetworkOptions = {}): Network {
  const given = networkOptions.checked(options);
  const names = new Names(topology);
  const canMove = (given.migrations ?? false) !== false;
  const controllersOf = controllersFrom(given);
  const lanes = topology.links.map(laneOfLink);
  const drawing = drawingOf(topology, lanes, controllersOf);
  const [isController, isSwitch] = [isIn(drawing.controllers ?? []), isIn(drawing.nodes)];
  const traffic = trafficIn({ topology, controllersOf, canMove }, names);
  return {
    processes: switchesOf(topology, lanes, given, controllersOf),
    links: [...dataLinks(topology, lanes, given), ...channels(topology, given, controllersOf)],
    actions: canMove ? actionsOf(topology, names) : {},
    topology: drawing,
    phrases: networkPhrases(withoutNodes(drawing)),
    commands: networkCommands(topology, drawing, names, traffic),
    faultRates(faults) {
      const rates = networkFaults.checked(faults);
      expectDelayedTable(rates, given);
      return deliveryRates(rates, isController, isSwitch);
    },
    minimize: {
      ...recovery,
      keep: ({ kind, process }) => kind === 'start' && (isSwitch(process) || isController(process)),
    },
    fingerprint: networkFingerprint(given.alsoCompare),
    passing: passingIn(given),
    ...traffic,
  };
}

function expectDelayedTable({ tableDelay = 0 }: DeliveryRates, { switches }: NetworkOptions): void {
  if (tableDelay === 0 || switches?.delayedTable !== undefined) return;
  throw new BadNetwork(
    'flow_mods take effect at once, so `faults.tableDelay` delays none.',
    "Give the network `switches: { delayedTable: 'unordered' }`.",
  );
}

type NetworkHints = Required<Pick<MinimizeHints<unknown>, 'fails' | 'recovers' | 'keep'>>;

const isIn = (names: readonly string[]): ((name: string) => boolean) => {
  const all = new Set(names);
  return (name) => all.has(name);
};

type ControllersOf = (name: string) => readonly string[];

const controllersFrom = ({ controllers = [] }: NetworkOptions): ControllersOf =>
  typeof controllers === 'function' ? controllers : () => controllers;

function switchesOf(
  topology: Topology,
  lanes: readonly string[],
  { switches = {}, stations = {}, migrations }: NetworkOptions,
  controllersOf: ControllersOf,
): Record<string, NetworkSwitch> {
  const ports = portsOf(topology, lanes);
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
function portsOf({ switches, links, stations }: Topology, lanes: readonly string[]): Map<string, NetworkPort[]> {
  const attached = new Map(switches.map(({ name, ports }) => [name, new Map<number, Attached>(ports.map(nothingAt))]));
  const attach = ({ switch: name, port }: LinkEnd, what: Attached): void => {
    const ports = attached.get(name);
    if (ports?.has(port) !== true)
      throw new BadNetwork(`there is no port ${name}.${port}.`, 'Use topologyFrom(…) to check the topology.');
    ports.set(port, what);
  };
  for (const [at, { ends }] of links.entries()) {
    const lane = lanes[at] as string;
    const [one, other] = ends;
    attach(one, { peer: { process: other.switch, port: other.port, lane } });
    attach(other, { peer: { process: one.switch, port: one.port, lane } });
  }
  for (const station of stations) attach(station, { station: addressOf(station) });
  return new Map(
    switches.map(({ name, dpid }) => [
      name,
      [...(attached.get(name) ?? [])].map(([portNo, what]): NetworkPort => ({
        portNo,
        hwAddr: portMac(dpid, portNo),
        ...what,
      })),
    ]),
  );
}

/** The other end of a port. */
type Attached = Pick<NetworkPort, 'peer' | 'station'>;

const nothingAt = (port: number): [number, Attached] => [port, {}];

/** Frames on a link that is cut are lost, and both of its ends notice. */
const dataLinks = (
  { links }: Topology,
  lanes: readonly string[],
  { reorder = false, oneSided = false }: NetworkOptions,
): DeclaredLink[] =>
  links.map(({ ends: [one, other] }, at) => ({
    between: [one.switch, other.switch],
    lane: lanes[at] as string,
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

/** The parts that have names in stories. */
const withoutNodes = ({ links, stations = [], controllers = [] }: ProcessTopology) => ({
  links,
  stations,
  controllers,
});

const drawingOf = (
  { switches, links, stations }: Topology,
  lanes: readonly string[],
  controllersOf: ControllersOf,
): ProcessTopology => ({
  nodes: switches.map(({ name }) => name),
  links: links.map(({ ends: [one, other] }, at) => ({
    ends: [
      { process: one.switch, port: one.port },
      { process: other.switch, port: other.port },
    ],
    lane: lanes[at],
  })),
  stations: stations.map(({ name, switch: process, port, mac, ip }) => ({ name, process, port, addresses: [mac, ip] })),
  controllers: [...new Set(switches.flatMap(({ name }) => controllersOf(name)))],
});
