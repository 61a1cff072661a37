import type { World } from '../../kernel/world.ts';
import { send } from '../../system/externals.ts';
import type { External } from '../../trace/event.ts';
import type { Hex } from '../bytes/data.ts';
import type { Topology } from '../topology/topology.ts';
import { highestPort } from './migration.ts';
import type { Names } from './names.ts';
import type { Attach, Detach } from './network-switch-state.ts';
import { arpFrame, pingFrame, tcpFrame, udpFrame } from './traffic-frames.ts';
import { placeOfStation, switchOf, type StationPlace } from './world-of-stations.ts';

/** The payloads of the actions of a network, by name. */
export interface NetworkPayloads {
  readonly inject: { readonly from: string; readonly packet: Hex };
  /** `settles`: of the phase before the traffic, which minimizing keeps. */
  readonly ping: Ends & { readonly settles?: true };
  readonly arp: Ends;
  readonly tcp: Ends & { readonly flow: number; readonly segment: number };
  readonly udp: Ends & { readonly flow: number };
  readonly migrate: { readonly station: string; readonly to: string };
}

interface Ends {
  readonly from: string;
  readonly to: string;
}

export type NetworkActions = {
  readonly [K in keyof NetworkPayloads]: (world: World, payload: NetworkPayloads[K]) => readonly External[];
};

/** What stations send. */
export type Sendings = Omit<NetworkPayloads, 'migrate'>;

/** The frame of each of them. */
export const framesOf = (names: Names): { readonly [K in keyof Sendings]: (payload: Sendings[K]) => Hex } => {
  const between = ({ from, to }: Ends) => [names.station(from), names.station(to)] as const;
  return {
    inject: ({ packet }) => packet,
    // The frames of the two phases differ, so that the first ones can be told apart.
    ping: ({ settles, ...ends }) => pingFrame(...between(ends), settles === true ? 0 : 1),
    arp: (ends) => arpFrame(...between(ends)),
    tcp: ({ flow, segment, ...ends }) => tcpFrame(...between(ends), flow, segment),
    udp: ({ flow, ...ends }) => udpFrame(...between(ends), flow),
  };
};

/**
 * What stations do, wherever they are when it happens: so a migration that is left out of an execution changes the places of
 * later ones. A station that is on its way does nothing.
 */
export function actionsOf({ switches }: Topology, names: Names): NetworkActions {
  const all = switches.map(({ name }) => name);
  const placeOf = (world: World, station: string): StationPlace | undefined =>
    placeOfStation(world, station, names.station(station).switch, all);
  const frames = framesOf(names);
  const sending =
    <K extends keyof Sendings>(kind: K) =>
    (world: World, payload: Sendings[K]): readonly External[] => {
      const place = placeOf(world, payload.from);
      if (place === undefined) return [];
      return [send(place.switch, { type: 'frame', port: place.port, packet: frames[kind](payload) })];
    };
  return {
    inject: sending('inject'),
    ping: sending('ping'),
    arp: sending('arp'),
    tcp: sending('tcp'),
    udp: sending('udp'),
    migrate(world, { station, to }) {
      const place = placeOf(world, station);
      if (place === undefined) return [];
      const detach: Detach = { type: 'detach', station, to: { switch: to, port: nextPort(world, to) } };
      return [send(place.switch, detach)];
    },
  };
}

/** Above all ports of the switch, and those of stations on their way to it. */
function nextPort(world: World, name: string): number {
  const found = switchOf(world.process(name));
  const highest = highestPort({ ports: found?.state?.ports ?? [] });
  const declared = found?.options.ports.map(({ portNo }) => portNo) ?? [];
  const coming = world.pending.flatMap((event) =>
    'message' in event ? portAheadOf(event.message, event.process, name) : [],
  );
  return Math.max(highest, ...declared, ...coming) + 1;
}

/** The port at that switch that a pending move leads to. */
function portAheadOf(message: unknown, receiver: string, name: string): number[] {
  const move = message as Attach | Detach | { readonly type?: unknown };
  if (move.type === 'attach' && receiver === name) return [(move as Attach).port];
  if (move.type !== 'detach' || (move as Detach).to.switch !== name) return [];
  return [(move as Detach).to.port];
}
