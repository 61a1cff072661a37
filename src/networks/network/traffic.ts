import { act, cut, heal, send } from '../../system/externals.ts';
import { until, untilRested, type Generator, type WorkloadItem } from '../../system/workload.ts';
import { count, flag } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Event } from '../../trace/event.ts';
import { parseFrame } from '../frames/ethernet.ts';
import { laneOfLink, ownerOf, type Station } from '../topology/topology.ts';
import { framesOf, type NetworkPayloads, type Sendings } from './actions.ts';
import { BadNetwork, type Names } from './names.ts';
import type { NetworkMessage } from './network-switch-state.ts';
import { randomTraffic, type TrafficWeights } from './random-traffic.ts';
import type { TrafficItem, TrafficItems } from './traffic-items.ts';
import type { RoundSubject } from './round-subject.ts';
import { roundTraffic, type RoundInputs } from './round-traffic.ts';

/** A phase before the traffic, of which minimizing drops nothing. */
export interface SettleOptions {
  /** How often; 1 by default. */
  readonly rounds?: number;
  /** Whether every station pings itself; true by default. */
  readonly self?: boolean;
  /** Whether every station pings every other one; false by default. */
  readonly allToAll?: boolean;
  /** How long it lasts before the pings, in milliseconds: a controller may find links by its own clock. 0 by default: until the network is quiet. */
  readonly forMs?: number;
}

/** What the environment does with a network: items of a workload, and generators of them. */
export interface Traffic extends TrafficItems {
  /** Lets the network settle before the traffic; then pings, each by itself, so that it learns where stations are. */
  readonly settle: (of?: SettleOptions) => readonly WorkloadItem[];
  /** So many items between random stations, different in every execution. */
  readonly random: (count: number, of?: TrafficWeights) => Generator<NetworkMessage>;
  /** So many rounds in which things happen at these rates, different in every execution. */
  readonly rounds: (count: number, of: RoundInputs) => Generator<NetworkMessage>;
}

export function trafficIn({ topology, canMove, ...subject }: Omit<RoundSubject, 'traffic'>, names: Names): Traffic {
  const { stations } = topology;
  const frames = framesOf(names);
  const sent = <K extends keyof Sendings>(kind: K, payload: Sendings[K]): TrafficItem => {
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
    captured(packets) {
      const byMac = new Map(stations.map(({ name, mac }) => [mac, name]));
      return packets.map(({ packet, from }, at) => traffic.inject(byMac.get(from) ?? unknownSender(from, at), packet));
    },
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
    toSelf: () => stations.map(({ name }) => traffic.ping(name, name)),
    allToAll: () => pairsOf(stations).map(([from, to]) => traffic.ping(from, to)),
    settle(of = {}) {
      const { rounds = 1, self = true, allToAll = false, forMs = 0 } = settleOptions.checked(of);
      const ends = [
        ...(self ? stations.map(({ name }) => [name, name] as const) : []),
        ...(allToAll ? pairsOf(stations) : []),
      ];
      const round = ends.flatMap(([from, to]): WorkloadItem[] => [
        sent('ping', { from, to, settles: true }),
        untilRested(),
      ]);
      const first = forMs === 0 ? untilRested() : until(() => false, { name: SETTLED, withinMs: forMs });
      return [first, ...Array.from({ length: rounds }, () => round).flat()];
    },
    random: (items, of = { pings: 1 }) => randomTraffic(topology, traffic, items, of),
    rounds: (rounds, of) => roundTraffic({ ...subject, topology, canMove, traffic }, rounds, of),
    cutLink: (one, other) => cut(...linkEnds(one, other)),
    healLink: (one, other) => heal(...linkEnds(one, other)),
  };
  return traffic;
}

const settleOptions = optionsOf<SettleOptions>('settle', {
  rounds: count(0),
  self: flag,
  allToAll: flag,
  forMs: count(0),
});

/** The condition of the wait at the beginning of the phase. */
const SETTLED = 'the network has settled';

function unknownSender(from: string, at: number): never {
  throw new BadNetwork(
    `packet ${at + 1} is from ${from}, which no station has.`,
    'Give a station this address in the topology, or leave such packets out: packets.filter(({ from }) => …).',
  );
}

const pairsOf = (stations: readonly Station[]): (readonly [string, string])[] =>
  stations.flatMap((from) =>
    stations.filter((to) => ownerOf(to) !== ownerOf(from)).map((to) => [from.name, to.name] as const),
  );

/** Whether the event is the wait or a ping of the settle phase: the frames of its pings have the number 0. */
export function isOfSettlePhase(event: Event): boolean {
  if (event.kind === 'wait') return event.condition === SETTLED;
  if (event.kind === 'act') return event.action === 'ping' && (event.payload as { settles?: unknown }).settles === true;
  const message = event.kind === 'send' ? (event.message as { readonly packet?: unknown } | null) : null;
  const payload = typeof message?.packet === 'string' ? parseFrame(message.packet)?.payload : undefined;
  return payload?.kind === 'ipv4' && payload.payload.kind === 'icmp' && payload.payload.echo?.seq === 0;
}
