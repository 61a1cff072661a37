import { sameDigest, type Digest } from '../../trace/digest.ts';

/**
 * The places at which events were last put in long lists, by a part of their identities. Events of one list or of many worlds may
 * share an entry, so an entry is a guess, to be checked. That is why one table serves all worlds.
 */
let guesses = new Int32Array(1 << 13);
let mask = guesses.length - 1;

/** A table has room for a list if it has so many entries for each event. It stays in the cache of a processor while lists are not very long. */
const ENTRIES_PER_EVENT = 16;

/** A longer list gets no larger table. */
const ENTRIES_MAX = 1 << 20;

/** In a list up to this long, searching is as fast as guessing. */
const SHORT = 64;

/** So many neighbors of the guess are checked, too: events before it may have been added or removed. */
const AROUND = 8;

/** An event was put at that place. */
export function notePlace(event: Digest, place: number): void {
  if (place * ENTRIES_PER_EVENT > mask) makeRoom(place);
  guesses[event.lo & mask] = place;
}

/** The guesses so far are lost. */
function makeRoom(place: number): void {
  if (guesses.length === ENTRIES_MAX) return;
  let length = guesses.length;
  while (length < ENTRIES_MAX && length <= place * ENTRIES_PER_EVENT) length *= 2;
  guesses = new Int32Array(length);
  mask = length - 1;
}

/** All events of a list were put at their places. */
export function notePlaces(list: readonly Digest[]): void {
  for (let place = 0; place < list.length; place++) notePlace(list[place] as Digest, place);
}

/** Whether searching the list is as fast as guessing. */
export const isShort = ({ length }: readonly Digest[]): boolean => length <= SHORT;

/** The place at which an event of that identity was last put, perhaps in another list. */
export const notedPlace = ({ lo }: Digest): number => guesses[lo & mask] as number;

/** The place of the event of that identity in a list, or -1 if it is not near the place at which it was put. */
export function guessedPlaceIn(list: readonly Digest[], wanted: Digest): number {
  const guess = notedPlace(wanted);
  if (guess < list.length && sameDigest(list[guess] as Digest, wanted)) return guess;
  const last = Math.min(guess + AROUND, list.length - 1);
  for (let place = Math.max(0, guess - AROUND); place <= last; place++)
    if (sameDigest(list[place] as Digest, wanted)) return place;
  return -1;
}
