import { DataDigest } from '../trace/data-digest.ts';
import { hex } from '../trace/digest.ts';
import type { Session } from '../kernel/ports.ts';
import type { ReadSet } from '../oracles/tracked-world.ts';

/** A world from which a search continues, and the path to it. */
export interface Spot<Held, Way> {
  readonly way: Way;
  /** The number of events on the path. */
  readonly length: number;
  /** Equal for equal worlds; undefined if equality cannot be decided. */
  readonly key: string | undefined;
  /** The world itself; undefined if it has to be made again. */
  held: Held | undefined;
}

/** The worlds that were met, and those from which the search has not continued: in order, the nearest first. */
export interface Outstanding<Place> {
  readonly met: readonly (readonly [key: string, length: number])[];
  readonly stack: readonly Place[];
  readonly kept: readonly Place[];
}

/** The number of worlds that are kept in memory. Of the others, only the event that led there is kept. */
const HELD_MAX = 10_000;

/** The worlds from which a search continues: each once, or once more if a shorter path turns up. */
export class Frontier<Held, Way> {
  /** The length of the shortest known path to each world. */
  private readonly met = new Map<string, number>();
  /** Spots by the number of events. */
  private readonly places: Spot<Held, Way>[][] = [];
  private readonly stack: Spot<Held, Way>[] = [];
  /** The current length, and the number of its spots that are done. */
  private length = 0;
  private taken = 0;
  private held = 0;

  /** Adds a world. `nearer`: it was met before, but only on longer paths. */
  meet(key: string | undefined, length: number): 'new' | 'nearer' | 'known' {
    if (key === undefined) return 'new';
    const before = this.met.get(key);
    if (before !== undefined && before <= length) return 'known';
    this.met.set(key, length);
    return before === undefined ? 'new' : 'nearer';
  }

  /** Whether this world has never been met, at any distance. */
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

  /** Adds a spot to be taken when it is the nearest. It is farther than those that were taken. */
  keep(place: Spot<Held, Way>): void {
    (this.places[place.length] ??= []).push(this.within(place));
  }

  /** Adds a spot to be taken next. */
  push(place: Spot<Held, Way>): void {
    this.stack.push(this.within(place));
  }

  /** Takes the spot that was pushed last. */
  pop(): Spot<Held, Way> | undefined {
    return this.stack.pop();
  }

  /** Takes the first spot with the fewest events. */
  nearest(): Spot<Held, Way> | undefined {
    while (this.length < this.places.length) {
      const place = this.places[this.length]?.[this.taken++];
      if (place === undefined) {
        this.places[this.length++] = [];
        this.taken = 0;
      } else if (place.key === undefined || this.met.get(place.key) === place.length) return place;
      // An action takes several events, so a shorter path may have been found since.
      else this.leave(place);
    }
    return undefined;
  }

  /** The search has continued from this spot. */
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
 * Equal if the processes and links have the same future and will be judged alike; undefined if that cannot be decided.
 * The caller adds the progress of the environment.
 */
export function likenessOf(session: Session, reads: ReadSet, environment: string): string | undefined {
  if (reads.pending) return undefined;
  const { world } = session;
  const length = reads.length ? world.length : '';
  const last = reads.last && world.last !== undefined ? hex(new DataDigest().data(world.last)) : '';
  return `${hex(session.worldDigest(reads.clock, true))} ${environment} ${notedIn(session, reads)} ${length} ${last}`;
}

/** The notes of clients. The events after which they were made count only for oracles that count events. */
function notedIn({ recording }: Session, reads: ReadSet): string {
  const notes = recording.notes.since(0).filter((note) => 'call' in note);
  if (notes.length === 0) return '';
  return hex(new DataDigest().data(reads.length ? notes : notes.map(({ event: _event, ...note }) => note)));
}
