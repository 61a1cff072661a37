import { flag, notNegative } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Oracle, Session } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import type { HeaderSpace } from '../header-space/header-space.ts';
import { physicallyReachable, reachOf, stationsIn, type PlacedStation } from '../header-space/reach.ts';
import { NetworkWatch } from '../network/network-watch.ts';
import { receivedAt } from '../network/world-of-stations.ts';
import { ownerOf } from '../topology/topology.ts';
import { historyOracle, worldOracle, type Problem } from './network-oracle.ts';
import { persistField, type PersistOptions } from './persistence.ts';
import { watchedProblems } from './watched-problems.ts';
import { WatchedSpace } from './watched-space.ts';

/** The options of `allPairsConnected`. */
export interface ConnectivityOptions extends PersistOptions {
  /** Whether a packet that a controller gets counts as delivered, since the controller may do so; true by default. */
  readonly viaController?: boolean;
}

const connectivityFields = { persist: persistField, viaController: flag };
const allPairsConnectedOptions = optionsOf<ConnectivityOptions>('allPairsConnected', connectivityFields);

/**
 * Flow entries deliver some packet from every station to every other one. Stations between which no links are up do not
 * count.
 */
export function allPairsConnected(options: ConnectivityOptions = {}): Oracle {
  const { persist = 0, viaController = true } = allPairsConnectedOptions.checked(options);
  return worldOracle(
    'allPairsConnected',
    persist,
    watchedProblems(function* (space) {
      const stations = stationsIn(space.model);
      for (const from of stations) {
        for (const to of stations) {
          if (areTwo(from, to) && isDisconnected(space, from, to, viaController)) yield disconnected(from, to);
        }
      }
    }),
  );
}

/** Whether these are different stations, and not two interfaces of one. */
const areTwo = (one: PlacedStation, other: PlacedStation): boolean => ownerOf(one.station) !== ownerOf(other.station);

/** Whether no packet gets from one station to the other, although the links between them are up. */
function isDisconnected(space: HeaderSpace, from: PlacedStation, to: PlacedStation, viaController: boolean): boolean {
  if (!physicallyReachable(space.model, from.at).has(to.at)) return false;
  const { reached, asksController } = reachOf(space.model, from, to.station);
  return !(viaController && asksController) && !reached.some(({ station }) => station.name === to.station.name);
}

const disconnected = (from: PlacedStation, to: PlacedStation): Problem => ({
  fingerprint: `${from.station.name} to ${to.station.name}`,
  shown: () => ({
    message: `no packet of ${from.station.name} reaches ${to.station.name}, although the links between ${from.at.name} and ${to.at.name} are up`,
    processes: [...new Set([from.at.name, to.at.name])],
    values: { from: from.station.name, to: to.station.name },
  }),
});

/** The options of `persistentConnectivity`. */
export interface PersistentConnectivityOptions extends ConnectivityOptions {
  /** How long ago the last frame may have arrived, in milliseconds; 3,000 by default. */
  readonly talkedWithinMs?: number;
}

const persistentConnectivityOptions = optionsOf<PersistentConnectivityOptions>('persistentConnectivity', {
  ...connectivityFields,
  talkedWithinMs: notNegative,
});

const TALKED_WITHIN_MS = 3000;

/** Stations that have talked a short time ago can still do so: one has got a frame that the other sent to it. */
export function persistentConnectivity(options: PersistentConnectivityOptions = {}): Oracle {
  const {
    persist = 0,
    viaController = true,
    talkedWithinMs = TALKED_WITHIN_MS,
  } = persistentConnectivityOptions.checked(options);
  const begin = (session: Session) => {
    const watched = new WatchedSpace();
    const watch = NetworkWatch.of(session);
    return (world: World): Problem[] => {
      const space = watched.of(watch.stateOf(world));
      return pairsThatTalked(world, space, session.nowMs - talkedWithinMs)
        .filter(([from, to]) => isDisconnected(space, from, to, viaController))
        .map(([from, to]) => disconnected(from, to));
    };
  };
  return historyOracle('persistentConnectivity', persist, begin);
}

/** The digits of the two MAC addresses that a frame begins with. */
const MAC_DIGITS = 12;
const digitsOf = (mac: string): string => mac.replaceAll(':', '');

function pairsThatTalked(world: World, { model }: HeaderSpace, sinceMs: number): [PlacedStation, PlacedStation][] {
  const stations = stationsIn(model);
  const byMac = new Map(stations.map((placed) => [digitsOf(placed.station.mac), placed]));
  return stations.flatMap((to): [PlacedStation, PlacedStation][] => {
    const senders = receivedAt(world, to.station.name)
      .last.filter(({ packet, atMs }) => atMs >= sinceMs && packet.startsWith(digitsOf(to.station.mac)))
      .map(({ packet }) => byMac.get(packet.slice(MAC_DIGITS, 2 * MAC_DIGITS)));
    return [...new Set(senders)].flatMap((from) => (from === undefined || !areTwo(from, to) ? [] : [[from, to]]));
  });
}
