import { CulpritError } from '../../error.ts';
import { printable } from '../../text/printable.ts';
import type { EventLine, Trace } from '../../trace/format.ts';
import { flowWords, type Flow } from '../words/flow-words.ts';
import { PacketPaths, type Hop } from '../words/packet-path.ts';
import { StationNames } from '../words/station-names.ts';
import { switchIn } from '../words/switch-in.ts';
import { recordedStates } from './recorded-states.ts';

/** An event that is about no packet. */
class NoPacket extends CulpritError {
  readonly code = 'NO_PACKET';
}

/** One hop of a packet, and what the switch did with it. */
export interface TracedHop extends Omit<Hop, 'event'> {
  /** The number of the event. */
  readonly event: number;
  /** The system's own name of the message. */
  readonly message: string;
  /** The flow entry that the packet matched in this event, in words. */
  readonly entry?: string;
  /** No flow entry matched, at a switch that has asked its controllers, or dropped the packet. */
  readonly isMiss?: true;
}

/** The way of the packet that an event is about (NetSight): its hops, the flow entries that it matched, the messages with controllers about it. */
export function packetTrace(trace: Trace, event: number): TracedHop[] {
  const hops = new PacketPaths(trace).of(event - 1);
  if (hops.length === 0) {
    const some = trace.events.filter((line) => line.kind === 'send' && isFrame(line)).map((line) => line.event);
    throw new NoPacket(
      event > trace.events.length ? `there is no event ${event}.` : `event ${event} is about no packet.`,
      some.length === 0
        ? 'Give the number of a frame, packet_in or packet_out.'
        : `Give the number of a frame, packet_in or packet_out: stations send at ${some.slice(0, 8).join(', ')}.`,
    );
  }
  const wanted = new Set(hops.map((hop) => hop.event));
  const names = new StationNames(trace.header.topology?.stations);
  const hits = new Map<number, Hit>();
  for (const { line, before, after } of recordedStates(trace.events))
    if (wanted.has(line.event - 1)) hits.set(line.event - 1, hitAt(before, after, names));
  return hops.map((hop) => tracedHop(hop, trace.events[hop.event] as EventLine, hits.get(hop.event) ?? {}));
}

const isFrame = (line: EventLine): boolean =>
  'message' in line && (line.message as { readonly type?: unknown } | null)?.type === 'frame';

/** What a lookup in the flow table of a switch gave. */
interface Hit {
  readonly entry?: string;
  readonly isLookedUp?: boolean;
}

/** The entry whose count of packets went up. */
function hitAt(before: unknown, after: unknown, names: StationNames): Hit {
  const [old, now] = [switchIn(before)?.entries ?? [], switchIn(after)?.entries ?? []];
  const counts = new Map(old.map((entry) => [keyOf(entry), countOf(entry)]));
  const hit = now.find((entry) => countOf(entry) > (counts.get(keyOf(entry)) ?? 0));
  const isLookedUp = lookupsIn(after) > lookupsIn(before);
  return hit === undefined ? { isLookedUp } : { entry: flowWords(hit, names, { allPriorities: true }), isLookedUp };
}

const keyOf = ({ match, priority }: Flow): string => JSON.stringify([match, priority]);
const countOf = ({ packetCount }: Flow): number => (typeof packetCount === 'number' ? packetCount : 0);

function lookupsIn(state: unknown): number {
  const count = (state as { readonly table?: { readonly lookupCount?: unknown } } | undefined)?.table?.lookupCount;
  return typeof count === 'number' ? count : 0;
}

const tracedHop = (hop: Hop, line: EventLine, { entry, isLookedUp }: Hit): TracedHop => ({
  ...hop,
  event: hop.event + 1,
  message: printable(line.messageName ?? line.kind),
  ...(hop.isStation === true || entry === undefined ? {} : { entry }),
  ...(hop.isStation === true || entry !== undefined || isLookedUp !== true || !isFrame(line) ? {} : { isMiss: true }),
});
