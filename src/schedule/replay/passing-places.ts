import { hex } from '../../trace/digest.ts';
import type { Event, Internal } from '../../trace/event.ts';
import { appearedMs, inFlightMs } from './appeared.ts';
import type { Passing } from './passing.ts';
import type { ScheduleTimes } from './schedule-times.ts';

interface PassingPlacesOptions {
  readonly passing?: Passing | undefined;
  readonly schedule: readonly Event[];
  /** The events of the schedule as they are named when they happen without the rest of the recording. */
  readonly wanted: readonly Event[];
  readonly times: ScheduleTimes;
  readonly epsilonMs: number;
  /** Whether the event of the schedule at an index has happened. */
  readonly isDone: (at: number) => boolean;
  readonly isMadeByItself: (event: Internal) => boolean;
}

/**
 * The messages of a schedule that pass by a rule. They are not awaited; but one that is there in time keeps its recorded place, because
 * a process may act otherwise if it gets the same messages in another order.
 */
export class PassingPlaces {
  /** The indices of the messages, by their names. */
  private readonly byName: ReadonlyMap<string, number>;
  private readonly places: ReadonlySet<number>;

  constructor(private readonly options: PassingPlacesOptions) {
    const { schedule, wanted, passing } = options;
    this.places = new Set(schedule.flatMap((event, at) => (passing?.hasRecorded(event) === true ? [at] : [])));
    this.byName = new Map([...this.places].map((at) => [hex(wanted[at] as Event), at]));
  }

  /** Whether the event of the schedule at this index passes. */
  has(at: number): boolean {
    return this.places.has(at);
  }

  /** Whether an event that is enabled now passes. */
  passes(event: Internal, nowMs: number): boolean {
    const { passing, times } = this.options;
    return passing?.has(event, times.inRecording(nowMs)) === true;
  }

  /** Whether it does so now. `at`: the next event of the schedule. */
  passesNow(event: Internal, at: number, nowMs: number): boolean {
    return this.passes(event, nowMs) && !this.hasToWait(event, at, nowMs);
  }

  /**
   * Whether the schedule comes to the message by itself; or the replay is slower than the recording was, and the process that sent the
   * message by its own clock is ahead of the schedule.
   */
  private hasToWait(event: Internal, at: number, nowMs: number): boolean {
    const { times, schedule, epsilonMs, isDone, isMadeByItself } = this.options;
    const appeared = appearedMs(event, nowMs);
    const place = this.byName.get(hex(event)) ?? -1;
    if (place < at || isDone(place)) return isMadeByItself(event) && appeared > times.reached(at, nowMs) + epsilonMs;
    const recordedMs = (times.of(place) ?? 0) - inFlightMs(schedule[place] as Event);
    // One that is there much earlier than in the recording does not wait for its place.
    return times.dueMs(place) <= nowMs + epsilonMs || appeared >= recordedMs - epsilonMs;
  }
}
