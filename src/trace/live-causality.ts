import { isInternal, type Event } from './event.ts';
import { peerOf, processesOf } from './event-subject.ts';

/**
 * Which events of an execution may depend on one of them, where processes do things by themselves: those that it caused, those
 * that come later at the same process, those that come later at a process that it touches, and all that depend on these.
 * Conservative: all that a process does may depend on all that happened to it before.
 */
export const successorsOf = (events: readonly Event[], at: number): ReadonlySet<number> =>
  reachedFrom(events, at, touchedBy(events[at] as Event));

/**
 * Which events must not happen before one of them has appeared: its successors, and what comes later at the process that made it.
 * That a process had sent a message says how far it was when the next event came.
 */
export const followersOf = (events: readonly Event[], at: number): ReadonlySet<number> =>
  reachedFrom(events, at, [...touchedBy(events[at] as Event), ...makersOf(events[at] as Event)]);

function reachedFrom(events: readonly Event[], at: number, processes: readonly string[]): ReadonlySet<number> {
  const successors = new Set<number>();
  // Processes at which some event depends on the first one: so does all that happens there from then on.
  const reached = new Set(processes);
  for (let later = at + 1; later < events.length; later++) {
    const event = events[later] as Event;
    if (event.cause !== at && !successors.has(event.cause) && !reached.has(receiverOf(event))) continue;
    successors.add(later);
    for (const process of touchedBy(event)) reached.add(process);
  }
  return successors;
}

/** A message of the environment touches its receiver when it is delivered, and not before. */
const touchedBy = (event: Event): readonly string[] => (event.kind === 'send' ? [] : processesOf(event));

/** The process at which an event happens, or will happen. */
const receiverOf = (event: Event): string => (event.kind === 'send' ? event.to : event.process);

const makersOf = (event: Event): readonly string[] =>
  isInternal(event) && event.kind === 'deliver' ? [peerOf(event) ?? event.process] : [];
