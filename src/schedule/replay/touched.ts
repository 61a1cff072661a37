import { hex } from '../../trace/digest.ts';
import { isInternal, type Deliver, type Event, type Internal } from '../../trace/event.ts';
import type { Undelivered } from '../../trace/undelivered.ts';

/** A message with which the environment interfered in a recording, or one that ended a hold; and when. */
export interface Touched {
  readonly event: Internal;
  readonly atMs: number;
}

/**
 * The messages that a recording held, dropped or reordered: those that faults name; those that were dropped when they were in flight; those
 * that were in flight for a round or longer; and those that overtook others of their channel, with the ones they overtook. A message that
 * was sent over a cut link is none of them: in a replay, the cut drops it as well.
 */
export const touchedIn = (
  recording: readonly Event[],
  undelivered: readonly Undelivered[],
  roundMs: number,
): readonly Touched[] => [
  ...byFaults(recording, undelivered),
  ...droppedInFlight(recording, undelivered),
  ...recording.flatMap((event) => (isInFlightFor(event, Math.max(roundMs, ROUND_MIN_MS)) ? [touched(event)] : [])),
  ...reordered(recording),
];

/** Where rounds have no length: deliveries take time, too. */
const ROUND_MIN_MS = 1;

const touched = (event: Deliver): Touched => ({ event, atMs: event.atMs ?? 0 });

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

const isInFlightFor = (event: Event, ms: number): event is Deliver =>
  event.kind === 'deliver' && (event.atMs ?? 0) - event.sentMs >= ms;

function* reordered(recording: readonly Event[]): Generator<Touched> {
  const latest = new Map<string, Deliver>();
  for (const event of recording) {
    if (event.kind !== 'deliver') continue;
    const channel = JSON.stringify([event.from, event.process, event.lane]);
    const before = latest.get(channel);
    if (before !== undefined && before.sentMs > event.sentMs) yield* [touched(before), touched(event)];
    else latest.set(channel, event);
  }
}
