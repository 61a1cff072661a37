import type { Arbitrary } from '../../system/arbitrary.ts';
import { act, cut, heal, send } from '../../system/externals.ts';
import { generate, untilQuiet, type Generator, type WorkloadItem } from '../../system/workload.ts';
import { count, flag } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Event, External } from '../../trace/event.ts';
import { parseFrame } from '../frames/ethernet.ts';
import type { Hex } from '../bytes/data.ts';
import { laneOfLink, type Topology } from '../topology/topology.ts';
import { framesOf, type NetworkPayloads, type Sendings } from './actions.ts';
import { BadNetwork, type Names } from './names.ts';
import type { NetworkMessage } from './network-switch-state.ts';

type Item = External<NetworkMessage>;

/** A numbered flow between two stations. */
export interface FlowOptions {
  /** 1 by default. */
  readonly flow?: number;
  /** Of TCP: the segments, the first of which opens the connection; 1 by default. */
  readonly segments?: number;
}

/** The kinds of random traffic, by weight. */
export interface TrafficWeights {
  readonly pings?: number;
  readonly arps?: number;
  readonly tcp?: number;
  readonly udp?: number;
  readonly migrations?: number;
}

/** A phase before the traffic, of which minimizing drops nothing. */
export interface SettleOptions {
  /** How often; 1 by default. */
  readonly rounds?: number;
  /** Whether every station pings itself; true by default. */
  readonly self?: boolean;
  /** Whether every station pings every other one; false by default. */
  readonly allToAll?: boolean;
}

/** What the environment does with a network: items of a workload. */
export interface Traffic {
  /** A station sends a frame, as hexadecimal text. */
  readonly inject: (station: string, packet: Hex) => Item;
  /** An ICMP echo request; from a station to itself, so that the network learns where it is. */
  readonly ping: (from: string, to: string) => Item;
  /** A broadcast request for a MAC address. */
  readonly arp: (from: string, to: string) => Item;
  readonly tcp: (from: string, to: string, of?: FlowOptions) => Item[];
  readonly udp: (from: string, to: string, of?: Pick<FlowOptions, 'flow'>) => Item;
  /** A station moves to a new port of a switch. */
  readonly migrate: (station: string, to: string) => Item;
  /** Every station pings itself. */
  readonly toSelf: () => Item[];
  /** Every station pings every other one. */
  readonly allToAll: () => Item[];
  /** Pings before the traffic, so that the network learns where stations are: each by itself, and all until nothing happens. */
  readonly settle: (of?: SettleOptions) => readonly WorkloadItem[];
  /** So many items between random stations, different in every execution. */
  readonly random: (count: number, of?: TrafficWeights) => Generator<NetworkMessage>;
  /** Cuts a link between two switches. Where there are several, name ports: `s1.3`. */
  readonly cutLink: (one: string, other: string) => External<never>;
  readonly healLink: (one: string, other: string) => External<never>;
}

export function trafficIn(topology: Topology, names: Names, canMove: boolean): Traffic {
  const stations = topology.stations.map(({ name }) => name);
  const frames = framesOf(names);
  const sent = <K extends keyof Sendings>(kind: K, payload: Sendings[K]): Item => {
    const { switch: at, port } = names.station(payload.from);
    // Made here in any case: a wrong name is a mistake of the workload.
    const packet = frames[kind](payload);
    // A station that may move is looked for when it sends.
    return canMove ? act(kind, payload) : send(at, { type: 'frame', port, packet });
  };
  const linkEnds = (one: string, other: string): readonly [string, string, { readonly lane: string }] => {
    const link = names.link(one, other);
    return [link.ends[0].switch, link.ends[1].switch, { lane: laneOfLink(link) }];
  };
  const traffic: Traffic = {
    inject: (from, packet) => sent('inject', { from, packet }),
    ping: (from, to) => sent('ping', { from, to }),
    arp: (from, to) => sent('arp', { from, to }),
    tcp: (from, to, { flow = 1, segments = 1 } = {}) =>
      Array.from({ length: segments }, (_, segment) => sent('tcp', { from, to, flow, segment })),
    udp: (from, to, { flow = 1 } = {}) => sent('udp', { from, to, flow }),
    migrate(station, to) {
      if (!canMove) throw new BadNetwork(`${station} cannot move.`, 'Give the network the option `migrations: true`.');
      const payload: NetworkPayloads['migrate'] = { station: names.station(station).name, to: names.switch(to) };
      return act('migrate', payload);
    },
    toSelf: () => stations.map((name) => traffic.ping(name, name)),
    allToAll: () => pairsOf(stations).map(([from, to]) => traffic.ping(from, to)),
    settle(of = {}) {
      const { rounds = 1, self = true, allToAll = false } = settleOptions.checked(of);
      const ends = [
        ...(self ? stations.map((name) => [name, name] as const) : []),
        ...(allToAll ? pairsOf(stations) : []),
      ];
      const round = ends.flatMap(([from, to]): WorkloadItem[] => [
        sent('ping', { from, to, settles: true }),
        untilQuiet(),
      ]);
      return Array.from({ length: rounds }, () => round).flat();
    },
    random: (items, of = { pings: 1 }) => randomTraffic(topology, traffic, items, of),
    cutLink: (one, other) => cut(...linkEnds(one, other)),
    healLink: (one, other) => heal(...linkEnds(one, other)),
  };
  return traffic;
}

const settleOptions = optionsOf<SettleOptions>('settle', { rounds: count(0), self: flag, allToAll: flag });

const pairsOf = (names: readonly string[]): (readonly [string, string])[] =>
  names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const));

/** Whether the event is a ping of the settle phase: their frames have the number 0. */
export function isOfSettlePhase(event: Event): boolean {
  if (event.kind === 'act') return event.action === 'ping' && (event.payload as { settles?: unknown }).settles === true;
  const message = event.kind === 'send' ? (event.message as { readonly packet?: unknown } | null) : null;
  const payload = typeof message?.packet === 'string' ? parseFrame(message.packet)?.payload : undefined;
  return payload?.kind === 'ipv4' && payload.payload.kind === 'icmp' && payload.payload.echo?.seq === 0;
}

/** The part of a source of random numbers that is used here. */
interface Draw {
  nextInt(min: number, max: number): number;
}

/** How many flows there are between two stations. */
const FLOWS = 4;

function randomTraffic(
  { stations, switches }: Topology,
  traffic: Traffic,
  items: number,
  weights: TrafficWeights,
): Generator<NetworkMessage> {
  const one = (draw: Draw, among: readonly { readonly name: string }[]): string =>
    (among[draw.nextInt(0, among.length - 1)] as { readonly name: string }).name;
  const pair = (draw: Draw, item: (from: string, to: string) => Item): Item => {
    const from = one(draw, stations);
    return item(
      from,
      one(
        draw,
        stations.filter(({ name }) => name !== from),
      ),
    );
  };
  const draws: { readonly [K in keyof Required<TrafficWeights>]: (draw: Draw) => Item } = {
    pings: (draw) => pair(draw, traffic.ping),
    arps: (draw) => pair(draw, traffic.arp),
    tcp: (draw) => pair(draw, (from, to) => tcpSegment(draw, traffic, from, to)),
    udp: (draw) => pair(draw, (from, to) => traffic.udp(from, to, { flow: draw.nextInt(1, FLOWS) })),
    migrations: (draw) => traffic.migrate(one(draw, stations), one(draw, switches)),
  };
  const kinds = Object.entries(weights) as [keyof TrafficWeights, number][];
  const unknown = kinds.find(([kind]) => !Object.hasOwn(draws, kind));
  if (unknown !== undefined)
    throw new BadNetwork(`there is no random traffic called ${unknown[0]}.`, `Give ${Object.keys(draws).join(', ')}.`);
  if (stations.length < 2) throw new BadNetwork('random traffic needs two stations.', 'Give a topology with more.');
  return generate(
    items,
    ...kinds.map(([kind, weight]): [number, Arbitrary<Item>] => [weight, arbitraryOf(draws[kind])]),
  );
}

function tcpSegment(draw: Draw, traffic: Traffic, from: string, to: string): Item {
  const segments = traffic.tcp(from, to, { flow: draw.nextInt(1, FLOWS), segments: draw.nextInt(1, 3) });
  return segments.at(-1) as Item;
}

const arbitraryOf = (drawn: (draw: Draw) => Item): Arbitrary<Item> => ({
  generate: (random: never) => ({ value: drawn(random) }),
});
