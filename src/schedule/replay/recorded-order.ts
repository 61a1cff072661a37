import { isInternal, type Event } from '../../trace/event.ts';
import { followersOf, successorsOf } from '../../trace/live-causality.ts';

const NONE: ReadonlySet<number> = new Set();

/** What depends on what among the events of a schedule, which is a part of a recording. */
export class RecordedOrder {
  private readonly places: ReadonlyMap<Event, number>;
  private readonly followers = new Map<number, ReadonlySet<number>>();

  constructor(
    private readonly recording: readonly Event[],
    private readonly schedule: readonly Event[],
  ) {
    this.places = new Map(recording.map((event, at) => [event, at]));
  }

  /** The recorded events that depend on one of the schedule; none if the recording does not have it. */
  after(at: number): readonly Event[] {
    const place = this.placeOf(at);
    const successors = place < 0 ? NONE : successorsOf(this.recording, place);
    return [...successors].map((later) => this.recording[later] as Event);
  }

  /**
   * Whether a later event of the schedule has to wait for an earlier one. Externals keep their order, and an event that was not
   * recorded waits for everything; so does a wait, whose condition may depend on all of it.
   */
  mustFollow(later: number, earlier: number): boolean {
    const [place, before] = [this.placeOf(later), this.placeOf(earlier)];
    if (this.schedule[later]?.kind === 'wait') return true;
    if (place < 0 || before < 0 || !(this.isInternal(later) || this.isInternal(earlier))) return true;
    return this.followersOf(before).has(place);
  }

  private isInternal(at: number): boolean {
    return isInternal(this.schedule[at] as Event);
  }

  /** The index in the recording of an event of the schedule; -1 if the recording does not have it. */
  placeOf(at: number): number {
    return this.places.get(this.schedule[at] as Event) ?? -1;
  }

  private followersOf(place: number): ReadonlySet<number> {
    const known = this.followers.get(place) ?? followersOf(this.recording, place);
    this.followers.set(place, known);
    return known;
  }
}
