import type { Event } from './event.ts';
import { processesOf } from './event-subject.ts';

/**
 * Which events of an execution may depend on one of them, where processes do things by themselves: those that it caused, those
 * that come later at the same process, those that come later at a process that it touches, and all that depend on these.
 * Conservative: all that a process does may depend on all that happened to it before.
 */
export function successorsOf(events: readonly Event[], at: number): ReadonlySet<number> {
  const successors = new Set<number>();
  // Processes at which some event depends on the first one: so does all that happens there from then on.
  const reached = new Set(processesOf(events[at] as Event));
  for (let later = at + 1; later < events.length; later++) {
    const event = events[later] as Event;
    if (event.cause !== at && !successors.has(event.cause) && !reached.has(event.process)) continue;
    successors.add(later);
    for (const process of processesOf(event)) reached.add(process);
  }
  return successors;
}
