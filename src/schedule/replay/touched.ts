import { hex } from '../../trace/digest.ts';
import { isInternal, type Event, type Internal } from '../../trace/event.ts';
import type { Undelivered } from '../../trace/undelivered.ts';

/** A message with which the environment interfered in a recording, or one that ended a hold; and when. */
export interface Touched {
  readonly event: Internal;
  readonly atMs: number;
}

/**
 * The messages with which a recording interfered: those that faults name, and those that were dropped when they were in flight. A message that
 * was sent over a cut link is none of them: in a replay, the cut drops it as well. Neither is one that was late or was overtaken: in a
 * replay, it keeps its place if it is there.
 */
export const touchedIn = (recording: readonly Event[], undelivered: readonly Undelivered[]): readonly Touched[] => [
  ...byFaults(recording, undelivered),
  ...droppedInFlight(recording, undelivered),
];

function* byFaults(recording: readonly Event[], undelivered: readonly Undelivered[]): Generator<Touched> {
  const faults = recording.filter((event) => 'target' in event);
  if (faults.length === 0) return;
  const all = [...recording, ...undelivered.map(({ event }) => event)].filter(isInternal);
  const named = new Map(all.map((event) => [hex(event), event]));
  for (const fault of faults)
    for (const id of fault.kind === 'hold' ? [fault.target, fault.until] : [fault.target]) {
      const event = named.get(id);
      if (event !== undefined) yield { event, atMs: fault.atMs ?? 0 };
    }
}

const droppedInFlight = (recording: readonly Event[], undelivered: readonly Undelivered[]): readonly Touched[] =>
  undelivered.flatMap(({ event, droppedBy }) =>
    droppedBy === undefined || event.cause >= droppedBy ? [] : [{ event, atMs: recording[droppedBy]?.atMs ?? 0 }],
  );
