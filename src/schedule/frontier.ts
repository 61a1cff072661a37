import { DataDigest } from '../trace/data-digest.ts';
import { hex } from '../trace/digest.ts';
import type { Session } from '../kernel/ports.ts';
import type { ReadSet } from '../oracles/tracked-world.ts';

/** A world to go on from, and the way to it. */
export interface Spot<Held, Way> {
  readonly way: Way;
  /** How many events lead to it. */
  readonly length: number;
  /** Equal for worlds that are the same; undefined where that cannot be known. */
  readonly key: string | undefined;
  /** Undefined where the world has to be made again. */
  held: Held | undefined;
}

/** What is known, and what is left to go on from: in order, and in it the nearest first. */
export interface Outstanding<Place> {
  readonly met: readonly (readonly [key: string, length: number])[];
  readonly stack: readonly Place[];
  readonly kept: readonly Place[];
}

/** So many worlds are kept whole; the others take little more than the event that led to them. */
const HELD_MAX = 10_000;

/** The worlds to go on from: each once, or once more where it turns out to be nearer than it seemed. */
export class Frontier<Held, Way> {
  /** Worlds, and after how many events they were met. */
  private readonly met = new Map<string, number>();
  /** By the number of events. */
  private readonly places: Spot<Held, Way>[][] = [];
  private readonly stack: Spot<Held, Way>[] = [];
  /** The length that is under way, and how many of its places have been. */
  private length = 0;
  private taken = 0;
  private held = 0;

  /** Takes note of a world. Nearer: it was met before, but only after more events. */
  meet(key: string | undefined, length: number): 'new' | 'nearer' | 'known' {
    if (key === undefined) return 'new';
    const before = this.met.get(key);
    if (before !== undefined && before <= length) return 'known';
    this.met.set(key, length);
    return before === undefined ? 'new' : 'nearer';
  }

  /** Whether no such world has been met, at whatever distance. */
  isNew(key: string | undefined): boolean {
    return key === undefined || !this.met.has(key);
  }

  get outstanding(): Outstanding<Spot<Held, Way>> {
    const kept = this.places.flatMap((places, length) => places.slice(length === this.length ? this.taken : 0));
    return { met: [...this.met], stack: this.stack, kept };
  }

  restore({ met, stack, kept }: Outstanding<Spot<Held, Way>>): void {
    for (const [key, length] of met) this.met.set(key, length);
    for (const place of stack) this.push(place);
    for (const place of kept) this.keep(place);
  }

  /** A place to go on from when it is the nearest; it is farther than those that were. */
  keep(place: Spot<Held, Way>): void {
    (this.places[place.length] ??= []).push(this.within(place));
  }

  /** A place to go on from next. */
  push(place: Spot<Held, Way>): void {
    this.stack.push(this.within(place));
  }

  /** The one that was pushed last. */
  pop(): Spot<Held, Way> | undefined {
    return this.stack.pop();
  }

  /** The first one of those with the fewest events. */
  nearest(): Spot<Held, Way> | undefined {
    while (this.length < this.places.length) {
      const place = this.places[this.length]?.[this.taken++];
      if (place === undefined) {
        this.places[this.length++] = [];
        this.taken = 0;
      } else if (place.key === undefined || this.met.get(place.key) === place.length) return place;
      // Where an action takes several events, a shorter way may have been found since.
      else this.leave(place);
    }
    return undefined;
  }

  /** The place is done with. */
  leave(place: Spot<Held, Way>): void {
    if (place.held !== undefined) this.held -= 1;
    place.held = undefined;
  }

  private within(place: Spot<Held, Way>): Spot<Held, Way> {
    if (this.held >= HELD_MAX) place.held = undefined;
    if (place.held !== undefined) this.held += 1;
    return place;
  }
}

/**
 * Equal where the same can happen and will be judged in the same way, as far as processes and links are concerned;
 * undefined where that cannot be known. How far the environment has come is for the caller to say.
 */
export function likenessOf(session: Session, looks: ReadSet, environment: string): string | undefined {
  if (looks.pending) return undefined;
  const { world } = session;
  const length = looks.length ? world.length : '';
  const last = looks.last && world.last !== undefined ? hex(new DataDigest().data(world.last)) : '';
  return `${hex(session.worldDigest(looks.clock, true))} ${environment} ${notedIn(session, looks)} ${length} ${last}`;
}

/** What clients noted. After which events they did is seen only by those who count events. */
function notedIn({ recording }: Session, looks: ReadSet): string {
  const notes = recording.notes.since(0).filter((note) => 'call' in note);
  if (notes.length === 0) return '';
  return hex(new DataDigest().data(looks.length ? notes : notes.map(({ event: _event, ...note }) => note)));
}
