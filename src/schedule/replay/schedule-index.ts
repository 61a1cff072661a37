import { hex } from '../../trace/digest.ts';
import { isInternal, type Event, type Internal } from '../../trace/event.ts';

/** Finds the events of a schedule by what they are, without a look at all of them. */
export class ScheduleIndex {
  /** Places in the schedule, in order: of events that are alike, and of those with the same name. */
  private readonly byKey = new Map<string, number[]>();
  private readonly byName = new Map<string, number[]>();

  constructor(
    schedule: readonly Event[],
    /** Equal for events that are alike. */
    private readonly keyOf: (event: Internal) => string,
  ) {
    for (const [place, event] of schedule.entries()) {
      if (!isInternal(event)) continue;
      placesOf(this.byKey, keyOf(event)).push(place);
      placesOf(this.byName, hex(event)).push(place);
    }
  }

  /** The places, from this one on, of events that are like the given one. */
  like(event: Internal, from: number): readonly number[] {
    return (this.byKey.get(this.keyOf(event)) ?? []).filter((place) => place >= from);
  }

  /** Whether the event itself has a place behind this one. */
  isBehind(event: Internal, at: number): boolean {
    return (this.byName.get(hex(event))?.at(-1) ?? -1) > at;
  }
}

function placesOf(all: Map<string, number[]>, name: string): number[] {
  const places = all.get(name) ?? [];
  all.set(name, places);
  return places;
}
