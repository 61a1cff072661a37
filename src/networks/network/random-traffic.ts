import type { Arbitrary } from '../../system/arbitrary.ts';
import { generate, type Generator } from '../../system/workload.ts';
import { ownerOf, type Station, type Topology } from '../topology/topology.ts';
import { BadNetwork } from './names.ts';
import type { NetworkMessage } from './network-switch-state.ts';
import type { TrafficItem, TrafficItems } from './traffic-items.ts';

/** The kinds of random traffic, by weight. */
export interface TrafficWeights {
  /** An ICMP echo request from a station to another one. */
  readonly pings?: number;
  /** A request for the address of another station. */
  readonly arps?: number;
  /** The packets of a TCP connection between two stations. */
  readonly tcp?: number;
  /** A datagram from a station to another one. */
  readonly udp?: number;
  /** A station moves to a new port of a switch: for networks with `migrations`. */
  readonly migrations?: number;
}

/** The part of a source of random numbers that is used here. */
export interface Draw {
  nextInt(min: number, max: number): number;
  nextDouble(): number;
}

export const arbitraryOf = <T>(drawn: (draw: Draw) => T): Arbitrary<T> => ({
  generate: (random: never) => ({ value: drawn(random) }),
});

/** How many flows there are between two stations. */
const FLOWS = 4;

/** What a station may do at random, by kind: with another station, or a switch, that is drawn. */
export type StationDraws = {
  readonly [K in keyof Required<TrafficWeights>]: (draw: Draw, from: Station) => TrafficItem;
};

export function drawsIn({ stations, switches }: Topology, traffic: TrafficItems): StationDraws {
  const toAnother =
    (item: (from: string, to: string, draw: Draw) => TrafficItem) =>
    (draw: Draw, from: Station): TrafficItem =>
      item(from.name, another(draw, stations, from).name, draw);
  const flow = (draw: Draw): number => draw.nextInt(1, FLOWS);
  return {
    pings: toAnother((from, to) => traffic.ping(from, to)),
    arps: toAnother((from, to) => traffic.arp(from, to)),
    tcp: toAnother((from, to, draw) => {
      const segments = traffic.tcp(from, to, { flow: flow(draw), segments: draw.nextInt(1, 3) });
      return segments.at(-1) as TrafficItem;
    }),
    udp: toAnother((from, to, draw) => traffic.udp(from, to, { flow: flow(draw) })),
    migrations: (draw, { name }) => traffic.migrate(name, pick(draw, switches).name),
  };
}

const pick = <T>(draw: Draw, among: readonly T[]): T => among[draw.nextInt(0, among.length - 1)] as T;

const another = (draw: Draw, stations: readonly Station[], from: Station): Station =>
  pick(
    draw,
    stations.filter((station) => ownerOf(station) !== ownerOf(from)),
  );

export function expectTwoStations({ stations }: Topology): void {
  if (new Set(stations.map(ownerOf)).size < 2)
    throw new BadNetwork('random traffic needs two stations.', 'Give a topology with more.');
}

/** So many items between random stations. */
export function randomTraffic(
  topology: Topology,
  traffic: TrafficItems,
  items: number,
  weights: TrafficWeights,
): Generator<NetworkMessage> {
  const draws = drawsIn(topology, traffic);
  const kinds = Object.entries(weights) as [keyof TrafficWeights, number][];
  const unknown = kinds.find(([kind]) => !Object.hasOwn(draws, kind));
  if (unknown !== undefined)
    throw new BadNetwork(`there is no random traffic called ${unknown[0]}.`, `Give ${Object.keys(draws).join(', ')}.`);
  expectTwoStations(topology);
  return generate(
    items,
    ...kinds.map(([kind, weight]): [number, Arbitrary<TrafficItem>] => [
      weight,
      arbitraryOf((draw) => draws[kind](draw, pick(draw, topology.stations))),
    ]),
  );
}
