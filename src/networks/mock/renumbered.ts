import type { Event } from '../../trace/event.ts';

/** The events that are kept, each with the index of its cause among them; -1 if that is left out. */
export function renumbered(events: readonly Event[], isKept: (event: Event, at: number) => boolean): readonly Event[] {
  const places = new Map<number, number>();
  for (const [at, event] of events.entries()) if (isKept(event, at)) places.set(at, places.size);
  return events.flatMap((event, at) => (places.has(at) ? [{ ...event, cause: places.get(event.cause) ?? -1 }] : []));
}
