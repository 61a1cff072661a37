import type { Digest } from '../../trace/digest.ts';
import { hex } from '../../trace/digest.ts';
import type { Event, Internal } from '../../trace/event.ts';
import type { RecordedOrder } from './recorded-order.ts';

/** What makes an event, for `KnownAppearances`. */
interface Makers {
  /** The process that makes it. */
  readonly makerOf: (event: Internal) => string;
  /** Whether a process does nothing by itself. */
  readonly isControlled: (process: string) => boolean;
}

/** How far a replay has come. */
export interface AppearanceProgress {
  readonly happened: ReadonlyMap<string, number>;
  readonly diverged: ReadonlySet<string>;
}

/**
 * Which events that a replay sees appeared in the recording as well and did not happen there. They are not new, and stay pending as
 * they did: messages that were dropped later or pending at the end, and all that an actor makes to which nothing has happened
 * but what is recorded. (What an actor makes follows from that; a timer that it sets again is written down nowhere.)
 */
export class KnownAppearances {
  private readonly undelivered: ReadonlySet<string>;
  /** Where the events of each process are in the recording, and how many of them have happened. */
  private readonly recorded = new Map<string, { readonly places: number[]; happened: number }>();
  /** The processes to which something else has happened. */
  private readonly diverged = new Set<string>();

  constructor(
    recording: readonly Event[],
    /** Whether a recorded event does not count: it passes by a rule. */
    passes: (event: Event) => boolean,
    undelivered: readonly Digest[],
    private readonly order: RecordedOrder,
    private readonly makers: Makers,
  ) {
    this.undelivered = new Set(undelivered.map(hex));
    for (const [place, event] of recording.entries()) {
      if (passes(event)) continue;
      const { process } = event;
      const known = this.recorded.get(process) ?? { places: [], happened: 0 };
      this.recorded.set(process, known);
      known.places.push(place);
    }
  }

  /** How many events of each process have happened, and to which processes something else has. */
  get progress(): AppearanceProgress {
    const happened = [...this.recorded].map(([process, recorded]): [string, number] => [process, recorded.happened]);
    return { happened: new Map(happened), diverged: new Set(this.diverged) };
  }

  /** A replay of the beginning of the recording has come so far. */
  continueAfter({ happened, diverged }: AppearanceProgress): void {
    for (const [process, count] of happened) {
      const recorded = this.recorded.get(process);
      if (recorded !== undefined) recorded.happened = count;
    }
    for (const process of diverged) this.diverged.add(process);
  }

  /** The event of the schedule happens. */
  happens(at: number, { process }: Event): void {
    const recorded = this.recorded.get(process);
    if (recorded !== undefined && recorded.places[recorded.happened] === this.order.placeOf(at)) recorded.happened += 1;
    else this.diverged.add(process);
  }

  /** An event happens that the schedule does not have. */
  somethingElseHappens({ process }: Pick<Event, 'process'>): void {
    this.diverged.add(process);
  }

  /** Whether the event appeared in the recording and did not happen there; the replay has reached this index of the schedule. */
  has(event: Internal, at: number): boolean {
    if (this.undelivered.has(hex(event))) return true;
    const maker = this.makers.makerOf(event);
    return this.makers.isControlled(maker) && this.follows(maker, at);
  }

  /** Whether all has happened to the process that the recording has before this index of the schedule, and nothing else. */
  private follows(process: string, at: number): boolean {
    const recorded = this.recorded.get(process);
    if (recorded === undefined || this.diverged.has(process)) return false;
    const next = recorded.places[recorded.happened];
    return next === undefined || next >= this.order.placeOf(at);
  }
}
