import { Causality } from '../trace/causality.ts';
import { isConsequence, type Event } from '../trace/event.ts';

/** A schedule that is nearly another one: followed as far as it goes, then perhaps left to chance. */
export interface Neighbor {
  readonly events: readonly Event[];
  /** What the original has after that, and the seed by which the rest is chosen; undefined where it ends there. */
  readonly wandering: { readonly rest: readonly Event[]; readonly seed: number } | undefined;
}

/**
 * Schedules around one, without end. One event is left out; two neighbors that are independent change places; one comes
 * last; or after some of them chance decides. All four kinds take turns, each from the end, where the violation was.
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
      yield { events: events.slice(0, count), wandering: { rest: events.slice(count), seed } };
    }
  }
}

const schedule = (events: readonly Event[]): Neighbor => ({ events, wandering: undefined });

/** From the last to the first, without what actions bring about: that happens with them. */
const movable = (events: readonly Event[]): number[] =>
  [...events.keys()].filter((at) => !isConsequence(events[at] as Event, events)).reverse();
