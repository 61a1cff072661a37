import { Causality } from '../trace/causality.ts';
import { isConsequence, type Event } from '../trace/event.ts';

/** A schedule that is nearly another one; some continue at random. */
export interface Neighbor {
  readonly events: readonly Event[];
  /** The events that the original has after these, and the seed of a random continuation; undefined if the schedule ends here. */
  readonly random: { readonly rest: readonly Event[]; readonly seed: number } | undefined;
}

/**
 * Endless schedules that are nearly this one: without one event, with two adjacent independent events swapped, with one event
 * moved to the end, or with a random continuation of a prefix. The four kinds take turns, and each begins at the end of the
 * schedule, near the violation.
 */
export function* neighbors(events: readonly Event[]): Generator<Neighbor, never> {
  const kinds: Iterator<Neighbor, unknown>[] = [
    leftOut(events),
    swapped(events),
    delayed(events),
    leftToChance(events),
  ];
  for (let turn = 0; ; turn++) {
    const step = (kinds[turn % kinds.length] as Iterator<Neighbor, unknown>).next();
    if (step.done !== true) yield step.value;
  }
}

function* leftOut(events: readonly Event[]): Generator<Neighbor> {
  for (const at of movable(events)) yield schedule(events.toSpliced(at, 1));
}

function* swapped(events: readonly Event[]): Generator<Neighbor> {
  const causality = new Causality(events);
  const places = new Set(movable(events));
  for (const at of places) {
    if (!places.has(at - 1) || !causality.concurrent(at - 1, at)) continue;
    yield schedule(events.toSpliced(at - 1, 2, events[at] as Event, events[at - 1] as Event));
  }
}

function* delayed(events: readonly Event[]): Generator<Neighbor> {
  for (const at of movable(events)) {
    if (at < events.length - 1) yield schedule([...events.toSpliced(at, 1), events[at] as Event]);
  }
}

function* leftToChance(events: readonly Event[]): Generator<Neighbor, never> {
  for (let seed = 0; ; seed++) {
    for (let count = events.length; count >= 0; count--) {
      yield { events: events.slice(0, count), random: { rest: events.slice(count), seed } };
    }
  }
}

const schedule = (events: readonly Event[]): Neighbor => ({ events, random: undefined });

/** From the last event to the first, without the consequences of actions, which happen with their action. */
const movable = (events: readonly Event[]): number[] =>
  [...events.keys()].filter((at) => !isConsequence(events[at] as Event, events)).reverse();
