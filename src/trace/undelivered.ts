import { eventOf } from './codec.ts';
import { parseHex } from './digest.ts';
import { ENVIRONMENT, type Deliver, type Event, type Internal, type Link } from './event.ts';
import type { DroppedEntry, Trace } from './format.ts';
import { fromPortable } from './json-encoding.ts';

/** An event that appeared in an execution and never happened. */
export interface Undelivered {
  readonly event: Internal;
  /** Index of the event but for which it would have stayed in flight; undefined if it was pending when the execution ended. */
  readonly droppedBy: number | undefined;
}

/** A message that was dropped during an event. */
interface DroppedMessage {
  readonly message: Pick<Deliver, 'from' | 'process' | 'lane'>;
  readonly why: DroppedEntry['why'];
  /** Index of that event. */
  readonly at: number;
}

/**
 * Index of the event but for which a dropped message would have stayed in flight. A message that was sent over a cut link was dropped when
 * it was sent, but by the cut; one to a process that had ended, by the end of that process.
 */
export function dropperOf({ message, why, at }: DroppedMessage, events: readonly Event[]): number {
  const isDropper = (event: Event): boolean =>
    why === 'cut'
      ? event.kind === 'cut' && doesCut(event.links, message)
      : why === 'absent' && (event.kind === 'crash' || event.kind === 'stop') && event.process === message.process;
  const found = why === 'cut' || why === 'absent' ? events.slice(0, at + 1).findLastIndex(isDropper) : -1;
  // A process that has never started was ended by nothing.
  return found < 0 ? at : found;
}

/** Whether a cut of these links concerns the link of the message, or its lane. No links: all of them. */
const doesCut = (links: readonly Link[], { from, process, lane }: DroppedMessage['message']): boolean =>
  links.length === 0 ||
  links.some(([one, other, only]) => one === from && other === process && (only === undefined || only === lane));

/** What a recorded execution left pending at its end, and the messages that were dropped on the way. */
export const undeliveredOf = ({ events, pending }: Trace): readonly Undelivered[] => {
  const recorded = events.map(eventOf);
  return [
    ...pending.map((line): Undelivered => ({ event: eventOf(line) as Internal, droppedBy: undefined })),
    ...events.flatMap(({ dropped = [] }, at) =>
      dropped.map((entry): Undelivered => {
        const event = droppedMessage(entry, at, recorded);
        return { event, droppedBy: dropperOf({ message: event, why: entry.why, at }, recorded) };
      }),
    ),
  ];
};

/** A dropped message is written without its sender: the process of the event that made it. */
function droppedMessage(entry: DroppedEntry, at: number, events: readonly Event[]): Deliver {
  const { id, to, message, cause = at + 1, lane } = entry;
  const causedBy = events[cause - 1];
  return {
    kind: 'deliver',
    process: to,
    cause: cause - 1,
    ...parseHex(id),
    from: causedBy === undefined || causedBy.kind === 'send' ? ENVIRONMENT : causedBy.process,
    message: fromPortable(message),
    ask: 0,
    reply: 0,
    sentMs: 0,
    ...(lane === undefined ? {} : { lane }),
  };
}
