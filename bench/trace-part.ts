import type { Trace } from 'culprit/trace';

/** The trace with some of its events, by their places: what a replay of a part is given. */
export function partAt(trace: Trace, isKept: (at: number) => boolean): Trace {
  const places = trace.events.flatMap((_, at) => (isKept(at) ? [at] : []));
  const placeOf = new Map(places.map((at, place) => [at, place]));
  const events = places.map((at, place) => {
    const line = trace.events[at] as Trace['events'][number];
    // Lines count events from 1; 0 stands for no cause.
    const cause = placeOf.get(line.cause - 1);
    return { ...line, event: place + 1, cause: cause === undefined ? 0 : cause + 1 };
  });
  return { ...trace, header: { ...trace.header, events: events.length }, events };
}
