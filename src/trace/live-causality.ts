import { isInternal, type Event } from './event.ts';
import { peerOf, processesOf } from './event-subject.ts';

/**
 * Which events of an execution may depend on one of them, where processes do things by themselves: those that it caused, those
 * that come later at the same process, those that come later at a process that it touches, and all that depend on these.
 * Conservative: all that a process does may depend on all that happened to it before.
 */
export const successorsOf = (events: readonly Event[], at: number): ReadonlySet<number> =>
  reachedFrom(events, at, touchedBy(events[at] as Event), (later) => [receiverOf(events[later] as Event)]);

/**
 * Which events must not happen before one of them has appeared: its successors, what comes later at the process that made it, and
 * faults of these processes. That a process had sent a message says how far it was when the next event came.
 */
export const followersOf = (events: readonly Event[], at: number): ReadonlySet<number> => {
  const event = events[at] as Event;
  return reachedFrom(events, at, [...touchedBy(event), ...makersOf(event)], (later) => happensTo(events, later));
};

function reachedFrom(
  events: readonly Event[],
  at: number,
  processes: readonly string[],
  processesAt: (later: number) => readonly string[],
): ReadonlySet<number> {
  const successors = new Set<number>();
  // Processes at which some event depends on the first one: so does all that happens there from then on.
  const reached = new Set(processes);
  for (let later = at + 1; later < events.length; later++) {
    const event = events[later] as Event;
    const isCaused = event.cause === at || successors.has(event.cause);
    if (!isCaused && !processesAt(later).some((process) => reached.has(process))) continue;
    successors.add(later);
    for (const process of touchedBy(event)) reached.add(process);
  }
  return successors;
}

/** The processes to which an event happens: a cut to those whose link it cuts, an action to those to which its parts happen. */
function happensTo(events: readonly Event[], at: number): readonly string[] {
  const event = events[at] as Event;
  if (event.kind === 'cut' || event.kind === 'heal') return [event.process, ...processesOf(event)];
  if (event.kind !== 'act') return [receiverOf(event)];
  // What an action brings about follows it immediately.
  const processes = [event.process];
  for (let part = at + 1; part < events.length; part++) {
    const follows = events[part] as Event;
    if (follows.cause !== at || isInternal(follows)) break;
    processes.push(...happensTo(events, part));
  }
  return processes;
}

/** A message of the environment touches its receiver when it is delivered, and not before. */
const touchedBy = (event: Event): readonly string[] => (event.kind === 'send' ? [] : processesOf(event));

/** The process at which an event happens, or will happen. */
const receiverOf = (event: Event): string => (event.kind === 'send' ? event.to : event.process);

const makersOf = (event: Event): readonly string[] =>
  isInternal(event) && event.kind === 'deliver' ? [peerOf(event) ?? event.process] : [];
