import { count, list, text } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Oracle } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import type { Event } from '../../trace/event.ts';
import type { Hex } from '../bytes/data.ts';
import { parseFrame } from '../frames/ethernet.ts';
import { receivedBy } from '../network/world-of-stations.ts';
import { frameWords } from '../words/frame-words.ts';
import { StationNames } from '../words/station-names.ts';
import { historyOracle, type Problem } from './network-oracle.ts';

/** Invariants that watch single frames. */

const nobody = new StationNames();

/** The options of `noStorm`. */
export interface NoStormOptions {
  /** How often copies of a frame may arrive at switches, for each time that a station sends it. */
  readonly copies: number;
}

const noStormOptions = optionsOf<NoStormOptions>('noStorm', { copies: count(1) }, ['copies']);

/** No frame multiplies: counts arrivals of equal frames at switches. */
export function noStorm(options: NoStormOptions): Oracle {
  const { copies } = noStormOptions.checked(options);
  const begin = () => {
    const seen = new Map<Hex, { sent: number; arrived: number }>();
    let storms: readonly Problem[] = [];
    return (_world: World, last: Event | undefined): readonly Problem[] => {
      const packet = last === undefined ? undefined : frameIn(last);
      if (packet === undefined || last === undefined) return storms;
      const counts = seen.get(packet) ?? { sent: 0, arrived: 0 };
      seen.set(packet, counts);
      if (last.kind === 'send') counts.sent++;
      else counts.arrived++;
      if (counts.arrived > copies * Math.max(1, counts.sent)) storms = [storm(packet, last.process, counts.arrived)];
      return storms;
    };
  };
  return historyOracle('noStorm', 0, begin);
}

/** The frame that an event brings to a switch. */
function frameIn(event: Event): Hex | undefined {
  if (event.kind !== 'deliver' && event.kind !== 'send') return undefined;
  const message = event.message as { readonly type?: unknown; readonly packet?: unknown } | null;
  return typeof message === 'object' && message?.type === 'frame' && typeof message.packet === 'string'
    ? message.packet
    : undefined;
}

const storm = (packet: Hex, name: string, arrived: number): Problem => ({
  fingerprint: 'storm',
  shown: () => ({
    message: `copies of one frame have arrived ${arrived} times, the last at ${name}: ${frameWords(packet, nobody)}`,
    processes: [name],
    values: { packet, arrived },
  }),
});

/** The options of `sessionAffinity`. */
export interface SessionAffinityOptions {
  /** The stations that serve the sessions. */
  readonly servers: readonly string[];
}

const sessionAffinityOptions = optionsOf<SessionAffinityOptions>(
  'sessionAffinity',
  { servers: list('a list of names of stations', text) },
  ['servers'],
);

/** All packets of a TCP or UDP session reach the same server. */
export function sessionAffinity(options: SessionAffinityOptions): Oracle {
  const { servers } = sessionAffinityOptions.checked(options);
  const begin = () => {
    const serverOf = new Map<string, string>();
    const framesOf = new Map<string, number>();
    let broken: readonly Problem[] = [];
    const find = (world: World): readonly Problem[] => {
      for (const server of servers) {
        const { frames, last } = receivedBy(world, server);
        const isNew = frames - (framesOf.get(server) ?? 0);
        framesOf.set(server, frames);
        for (const { packet } of isNew > 0 ? last.slice(-isNew) : []) {
          const session = sessionOf(packet);
          if (session === undefined) continue;
          const before = serverOf.get(session) ?? server;
          serverOf.set(session, before);
          if (before !== server) broken = [splitSession(session, before, server)];
        }
      }
      return broken;
    };
    // Without a frame, a name may be wrong.
    const doubt = (): string | undefined => {
      const silent = servers.find((server) => (framesOf.get(server) ?? 0) === 0);
      return silent === undefined ? undefined : `no frame has reached ${silent}`;
    };
    return { find, doubt };
  };
  return historyOracle('sessionAffinity', 0, begin);
}

/** The client and the service: a balancer changes the address of the server. */
function sessionOf(packet: Hex): string | undefined {
  const ipv4 = parseFrame(packet)?.payload;
  if (ipv4?.kind !== 'ipv4' || (ipv4.payload.kind !== 'tcp' && ipv4.payload.kind !== 'udp')) return undefined;
  const { kind, tpSrc, tpDst } = ipv4.payload;
  return `${kind} from ${ipv4.nwSrc} port ${tpSrc} to port ${tpDst}`;
}

const splitSession = (session: string, one: string, other: string): Problem => ({
  fingerprint: 'split session',
  shown: () => ({
    message: `packets of one session reach ${one} and ${other}: ${session}`,
    processes: [],
    values: { session, servers: [one, other] },
  }),
});
