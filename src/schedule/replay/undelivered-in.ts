import type { Event, Internal } from '../../trace/event.ts';
import type { Undelivered } from '../../trace/undelivered.ts';

/** What never happened in the recording, and does not in a part of it: it was pending at the end, or the part has what dropped it. */
export function undeliveredIn(
  schedule: readonly Event[],
  recording: readonly Event[],
  undelivered: readonly Undelivered[],
): readonly Internal[] {
  const kept = new Set(schedule);
  return undelivered.flatMap(({ event, droppedBy }) =>
    droppedBy === undefined || kept.has(recording[droppedBy] as Event) ? [event] : [],
  );
}
