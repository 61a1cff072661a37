import { fieldsOf, hasHeaders, HeaderSpace, type NetworkState, type PacketFields } from 'culprit/networks';
import { representativePackets } from './representative-packets.ts';
import { keyOf, SlowNetwork, type Arrival } from './slow-network.ts';

/** What two ways to look at a network say of every representative packet. */
interface Seen {
  /** Arrivals that come again. */
  readonly looping: string[];
  /** Station, packet, switch, port and reason. */
  readonly lost: string[];
}

export interface ComparedSpaces {
  readonly fast: Seen;
  readonly slow: Seen;
  readonly packets: number;
  readonly loops: number;
  readonly blackholes: number;
}

/** Asks header space and walks of single packets which packets loop or are lost. */
export function compareHeaderSpace(state: NetworkState, space = new HeaderSpace(state)): ComparedSpaces {
  const network = new SlowNetwork(state);
  const packets = representativePackets(state);
  const arrivals = state.switches.flatMap(({ name, ports }) =>
    ports
      .filter(({ portNo, peer }) => peer !== undefined && network.receives(name, portNo))
      .flatMap(({ portNo: port }) => packets.map((packet): Arrival => ({ name, port, packet }))),
  );
  return {
    slow: { looping: loopingIn(network, arrivals), lost: lostIn(network, state, packets) },
    fast: fastSeen(space, state, network, arrivals, packets),
    packets: packets.length,
    loops: space.loops.length,
    blackholes: space.blackholes.length,
  };
}

/** Arrivals without one that follows, or without one before, are left out until all that remain have both. */
function loopingIn(network: SlowNetwork, arrivals: readonly Arrival[]): string[] {
  const left = new Map(
    [...arrivals, ...network.following(...arrivals).values()].map((arrival) => [keyOf(arrival), arrival]),
  );
  for (let size = -1; size !== left.size;) {
    size = left.size;
    const after = new Set([...left.values()].flatMap((arrival) => network.next(arrival)));
    for (const [key, arrival] of left) {
      if (!after.has(key) || !network.next(arrival).some((next) => left.has(next))) left.delete(key);
    }
  }
  const asked = new Set(arrivals.map(keyOf));
  return [...left]
    .filter(([key, arrival]) => asked.has(key) && network.following(arrival).has(key))
    .map(([key]) => key)
    .toSorted();
}

function* sent(state: NetworkState, network: SlowNetwork, packets: readonly string[]) {
  for (const { name, ports } of state.switches)
    for (const { portNo: port, peer } of ports) {
      if (peer?.kind !== 'station' || !network.receives(name, port)) continue;
      for (const packet of packets) {
        const { dlSrc, dlDst, dlType, nwSrc, nwDst } = fieldsIn(packet, port);
        const hasAddress = dlType === 0x0800 || dlType === 0x0806;
        const own = peer.ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
        if (dlSrc !== peer.mac || dlDst === peer.mac || (hasAddress && (nwSrc !== own || nwDst === own))) continue;
        yield { station: peer.name, arrival: { name, port, packet } };
      }
    }
}

function lostIn(network: SlowNetwork, state: NetworkState, packets: readonly string[]): string[] {
  const lost = new Set<string>();
  for (const { station, arrival } of sent(state, network, packets)) {
    for (const at of [arrival, ...network.following(arrival).values()]) {
      const step = network.step(at);
      for (const fate of step?.fates ?? []) {
        if (fate.kind !== 'lost') continue;
        lost.add(`${station} ${arrival.packet} ${at.name} ${String(step?.entry.cookie)} ${fate.outPort} ${fate.why}`);
      }
    }
  }
  return [...lost].toSorted();
}

function fastSeen(
  space: HeaderSpace,
  state: NetworkState,
  network: SlowNetwork,
  arrivals: readonly Arrival[],
  packets: readonly string[],
): Seen {
  const looping = arrivals.filter(({ name, port, packet }) => {
    const fields = fieldsIn(packet, port);
    return space.loops.some(({ hops, headers }) => hops[0]?.at.name === name && hasHeaders(headers, fields));
  });
  const lost = new Set<string>();
  for (const { station, arrival } of sent(state, network, packets)) {
    const fields = fieldsIn(arrival.packet, arrival.port);
    for (const blackhole of space.blackholes) {
      if (blackhole.station.name !== station || !hasHeaders(blackhole.headers, fields)) continue;
      const { at, rule, outPort } = blackhole.hops.at(-1) as (typeof blackhole.hops)[number];
      lost.add(`${station} ${arrival.packet} ${at.name} ${String(rule.entry.cookie)} ${outPort} ${blackhole.why}`);
    }
  }
  return { looping: looping.map(keyOf).toSorted(), lost: [...lost].toSorted() };
}

const fieldsIn = (packet: string, port: number): PacketFields =>
  fieldsOf(Buffer.from(packet, 'hex'), port) as PacketFields;
