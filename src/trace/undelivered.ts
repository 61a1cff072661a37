import { eventOf } from './codec.ts';
import { parseHex } from './digest.ts';
import { ENVIRONMENT, type Deliver, type Event, type Internal } from './event.ts';
import type { DroppedEntry, Trace } from './format.ts';
import { fromPortable } from './json-encoding.ts';

/** An event that appeared in an execution and never happened. */
export interface Undelivered {
  readonly event: Internal;
  /** Index of the event that dropped it; undefined if it was pending when the execution ended. */
  readonly droppedBy: number | undefined;
}

/** What a recorded execution left pending at its end, and the messages that were dropped on the way. */
export const undeliveredOf = ({ events, pending }: Trace): readonly Undelivered[] => {
  const recorded = events.map(eventOf);
  return [
    ...pending.map((line): Undelivered => ({ event: eventOf(line) as Internal, droppedBy: undefined })),
    ...events.flatMap(({ dropped = [] }, at) =>
      dropped.map((entry): Undelivered => ({ event: droppedMessage(entry, at, recorded), droppedBy: at })),
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
