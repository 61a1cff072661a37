import { DataDigest } from '../trace/data-digest.ts';
import { hex } from '../trace/digest.ts';
import type { External, Internal } from '../trace/event.ts';
import type { Session } from '../kernel/ports.ts';
import type { Looks } from './glance.ts';
import type { Left } from './stock.ts';

/** How a world was reached. */
export interface Way {
  readonly parent: Place | undefined;
  /** Undefined at the start. */
  readonly step: Internal | External | undefined;
  readonly left: Left;
}

/** A world to go on from. */
export interface Place extends Way {
  readonly key: string | undefined;
  /** Undefined where the world has to be made again. */
  session: Session | undefined;
}

/** So many worlds are kept whole; the others take little more than the event that led to them. */
const HELD_MAX = 10_000;

/** The worlds to go on from, each the first time it is met. */
export class Frontier {
  /** Worlds, and after how many events they were met. */
  private readonly met = new Map<string, number>();
  /** By the number of events. */
  private readonly places: Place[][] = [];
  private held = 0;

  constructor(private readonly looks: Looks) {}

  /** The places after so many events. Those before are given up. */
  *at(length: number): Generator<Place> {
    for (const place of this.places[length] ?? []) {
      // Where an action takes several events, a shorter way may have been found since.
      if (place.key === undefined || this.met.get(place.key) === length) yield place;
      else this.leave(place);
    }
    this.places[length] = [];
  }

  keep(session: Session, way: Way): void {
    const { length } = session.world;
    const key = this.keyOf(session, way.left);
    if (key !== undefined) {
      if ((this.met.get(key) ?? Infinity) <= length) return;
      this.met.set(key, length);
    }
    // Code that awaits something cannot be copied.
    const isHeld = this.held < HELD_MAX && session.fork !== undefined;
    if (isHeld) this.held += 1;
    (this.places[length] ??= []).push({ ...way, key, session: isHeld ? session : undefined });
  }

  leave(place: Place): void {
    if (place.session !== undefined) this.held -= 1;
    place.session = undefined;
  }

  /** Equal where the same can happen and will be judged in the same way; undefined where that cannot be known. */
  private keyOf(session: Session, left: Left): string | undefined {
    if (this.looks.pending) return undefined;
    const notes = session.recording.notes.since(0).filter((note) => 'call' in note);
    const noted = notes.length === 0 ? '' : hex(new DataDigest().data(notes));
    const length = this.looks.length ? session.world.length : '';
    return `${hex(session.worldDigest(this.looks.clock))} ${left.join()} ${noted} ${length}`;
  }
}
