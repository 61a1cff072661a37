import type { EventLine, PendingLine, Trace } from '../../trace/format.ts';
import { recordOf } from './shown.ts';

/** A packet that moves from one process to another, or a message about it. */
export interface Hop {
  readonly from: string;
  readonly to: string;
  /** Index of the event in which it arrives or is lost; of the sending one if it never arrives. */
  readonly event: number;
  readonly fate: 'arrived' | 'lost' | 'pending';
  readonly lane?: string | undefined;
  /** The port at which it arrives. */
  readonly port?: number | undefined;
  /** It reaches a station at `from`. */
  readonly isStation?: boolean;
}

/** A packet that circulates has no end. */
export const HOPS_MAX = 200;

/** The paths of packets through an execution. */
export class PacketPaths {
  private readonly events: Trace['events'];
  private readonly pending: Trace['pending'];
  private found: Index | undefined;

  constructor({ events, pending }: Pick<Trace, 'events' | 'pending'>) {
    this.events = events;
    this.pending = pending;
  }

  /**
   * The hops of the packet that an event is about: the event, what it came from, and what it led to, as far as messages carry the
   * same packet, or a packet that a switch made of it. An answer is another packet. At most `HOPS_MAX`, in the order of events.
   */
  of(event: number): readonly Hop[] {
    if (carriedBy(this.events[event]) === undefined) return [];
    this.found ??= indexOf(this.events, this.pending);
    const seen: Carrier[] = [this.firstOf(event)];
    const hops: Hop[] = [];
    for (let at = 0; at < seen.length && hops.length < HOPS_MAX; at++) {
      const { event: here, packet } = seen[at] as Carrier;
      hops.push(...this.hopsAt(here), ...this.unfinished(here, packet));
      for (const next of this.found.effects.get(here) ?? []) {
        const carried = carriedBy(this.events[next]);
        if (carried !== undefined && !isAnswer(carried.packet, packet))
          seen.push({ event: next, packet: carried.packet ?? packet });
      }
    }
    return hops.slice(0, HOPS_MAX).toSorted((one, other) => one.event - other.event);
  }

  /** The first event that carries the packet of this one. */
  private firstOf(event: number): Carrier {
    let here: Carrier = { event, packet: carriedBy(this.events[event])?.packet };
    for (;;) {
      const cause = (this.events[here.event]?.cause ?? 0) - 1;
      const carried = carriedBy(this.events[cause]);
      if (carried === undefined || isAnswer(here.packet, carried.packet)) return here;
      here = { event: cause, packet: carried.packet ?? here.packet };
    }
  }

  private hopsAt(event: number): Hop[] {
    const line = this.events[event];
    if (line?.kind !== 'deliver') return [];
    const { from, process, lane, message } = line;
    const arrived: Hop = { from, to: process, event, fate: 'arrived', ...laneAndPort(lane, message) };
    return [arrived, ...stationsReached(line).map((name): Hop => stationHop(process, name, event))];
  }

  /** Where the packet was lost, or is still under way, after an event sent it. */
  private unfinished(event: number, packet: string | undefined): Hop[] {
    const from = this.events[event]?.process ?? '';
    return (this.found?.unfinished.get(event) ?? [])
      .filter(({ message }) => isSamePacket(message, packet))
      .map(({ to, lane, message, at, fate }): Hop => ({ from, to, event: at, fate, ...laneAndPort(lane, message) }));
  }
}

/** An event, and the packet that it is about, if it is known. */
interface Carrier {
  readonly event: number;
  readonly packet: string | undefined;
}

const stationHop = (from: string, to: string, event: number): Hop => ({
  from,
  to,
  event,
  fate: 'arrived',
  isStation: true,
});

function laneAndPort(lane: string | undefined, message: unknown): Pick<Hop, 'lane' | 'port'> {
  const { port } = recordOf(message) ?? {};
  return { ...(lane === undefined ? {} : { lane }), ...(typeof port === 'number' ? { port } : {}) };
}

/** The packet of an event; undefined if it is not about a packet. A buffer stands for a packet that is not repeated. */
function carriedBy(line: EventLine | undefined): { readonly packet: string | undefined } | undefined {
  return line?.kind === 'deliver' || line?.kind === 'send' ? carriedIn(line.message) : undefined;
}

function carriedIn(message: unknown): { readonly packet: string | undefined } | undefined {
  const { type, packet, data, bufferId } = recordOf(message) ?? {};
  const isBuffered = bufferId !== undefined && bufferId !== 'none';
  switch (type) {
    case 'frame':
      return { packet: textOf(packet) };
    case 'packet_in':
      return { packet: textOf(data) };
    case 'packet_out':
      return { packet: isBuffered ? undefined : textOf(data) };
    case 'flow_mod':
      return isBuffered ? { packet: undefined } : undefined;
    default:
      return undefined;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function isSamePacket(message: unknown, packet: string | undefined): boolean {
  const carried = carriedIn(message);
  return carried !== undefined && !isAnswer(carried.packet, packet);
}

/** An Ethernet frame begins with 6 bytes of destination and 6 of source, as hexadecimal text. */
const ADDRESS = 12;

/** Whether a packet goes back to the sender of the other one. */
function isAnswer(packet: string | undefined, to: string | undefined): boolean {
  if (packet === undefined || to === undefined) return false;
  const [source, sourceOfOther] = [packet, to].map((bytes) => bytes.slice(ADDRESS, 2 * ADDRESS));
  return packet.slice(0, ADDRESS) === sourceOfOther && source !== sourceOfOther;
}

/** The stations whose records the event changed: `/stations/h2/received`. */
function stationsReached({ changes = [] }: EventLine): string[] {
  const names = changes.flatMap(([pointer]) => /^\/stations\/([^/]+)/.exec(pointer)?.[1] ?? []);
  return [...new Set(names)].map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A message that an event sent and that did not arrive. */
interface Unfinished {
  readonly to: string;
  readonly lane: string | undefined;
  readonly message: unknown;
  readonly at: number;
  readonly fate: 'lost' | 'pending';
}

interface Index {
  /** By event: its effects. */
  readonly effects: ReadonlyMap<number, readonly number[]>;
  readonly unfinished: ReadonlyMap<number, readonly Unfinished[]>;
}

function indexOf(events: readonly EventLine[], pending: readonly PendingLine[]): Index {
  const [effects, unfinished] = [new Map<number, number[]>(), new Map<number, Unfinished[]>()];
  for (const [at, { cause, dropped = [] }] of events.entries()) {
    append(effects, cause - 1, at);
    for (const { to, lane, message, cause: sent } of dropped)
      append(unfinished, sent === undefined ? at : sent - 1, { to, lane, message, at, fate: 'lost' });
  }
  for (const line of pending) {
    if (line.kind !== 'deliver') continue;
    const { process: to, lane, message, cause } = line;
    append(unfinished, cause - 1, { to, lane, message, at: cause - 1, fate: 'pending' });
  }
  return { effects, unfinished };
}

function append<T>(lists: Map<number, T[]>, key: number, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
