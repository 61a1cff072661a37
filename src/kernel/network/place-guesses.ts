import { sameDigest, type Digest } from '../../trace/digest.ts';

/** A power of two. */
const GUESSES = 1 << 14;

/**
 * The places at which events were last put in long lists, by a part of their identities. Events of one list or of many worlds may
 * share an entry, so an entry is a guess: `placeIn` checks that the event is there. That is why one table serves all worlds.
 */
const guesses = new Int32Array(GUESSES);

/** In a list up to this long, and near its beginning, searching is as fast as guessing. */
const SHORT = 128;

/** So many neighbors of the guess are checked, too: events before it may have been added or removed. */
const AROUND = 8;

/** An event was put at that place. */
export function notePlace(event: Digest, place: number): void {
  if (place > SHORT) guesses[event.lo & (GUESSES - 1)] = place;
}

/** The place of that event in the list, or -1. */
export function placeIn<T extends Digest>(list: readonly T[], wanted: T): number {
  if (list.length <= SHORT) return list.indexOf(wanted);
  const guess = guesses[wanted.lo & (GUESSES - 1)] as number;
  if (list[guess] === wanted) return guess;
  const last = Math.min(guess + AROUND, list.length - 1);
  for (let place = Math.max(0, guess - AROUND); place <= last; place++) if (list[place] === wanted) return place;
  return list.indexOf(wanted);
}

/** The event of that identity in the list. */
export function eventIn<T extends Digest>(list: readonly T[], wanted: Digest): T | undefined {
  if (list.length <= SHORT) return eventBetween(list, wanted, 0, list.length - 1);
  const guess = guesses[wanted.lo & (GUESSES - 1)] as number;
  return (
    eventBetween(list, wanted, Math.max(0, guess - AROUND), Math.min(guess + AROUND, list.length - 1)) ??
    eventBetween(list, wanted, 0, list.length - 1)
  );
}

function eventBetween<T extends Digest>(
  list: readonly T[],
  wanted: Digest,
  first: number,
  last: number,
): T | undefined {
  for (let place = first; place <= last; place++) {
    const event = list[place] as T;
    if (sameDigest(event, wanted)) return event;
  }
  return undefined;
}
