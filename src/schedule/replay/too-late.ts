import { isInternal, type Event, type Internal } from '../../trace/event.ts';
import { AppearancesByKey, type AppearanceSession } from './appearances-by-key.ts';
import type { RecordedOrder } from './recorded-order.ts';

/** An external was injected too late: an event that depends on it appeared before. The replay has to start over. */
export class TooLate extends Error {
  constructor(
    /** Indices of events that did not appear: the next replay does not wait for them. */
    readonly absent: ReadonlySet<number>,
  ) {
    super('an event appeared before the external that it depends on');
    this.name = 'TooLate';
  }
}

/** A schedule, and what `RecordedSuccessors` has to know of its events. */
export interface SuccessorOptions {
  readonly schedule: readonly Event[];
  /** What appeared in the recording and never happened, and does not happen now. */
  readonly undelivered: readonly Internal[];
  readonly order: RecordedOrder;
  /** Whether a recorded event is not compared. */
  readonly passes: (event: Event) => boolean;
  /** Equal for events that are alike. */
  readonly keyOf: (event: Internal) => string;
  readonly isMadeByItself: (event: Internal) => boolean;
}

/** The recorded events that depend on externals: if one has appeared before its external, that comes too late. */
export class RecordedSuccessors {
  /** The events of the schedule that are alike, with their places; infinity for those that do not happen. */
  private readonly alike = new Map<string, { readonly event: Internal; readonly place: number }[]>();
  private readonly appearances: AppearancesByKey;

  constructor(private readonly options: SuccessorOptions) {
    for (const [place, event] of options.schedule.entries()) if (isInternal(event)) this.note(event, place);
    for (const event of options.undelivered) this.note(event, Number.POSITIVE_INFINITY);
    this.appearances = new AppearancesByKey(options);
  }

  private note(event: Internal, place: number): void {
    const key = this.options.keyOf(event);
    const others = this.alike.get(key);
    if (others === undefined) this.alike.set(key, [{ event, place }]);
    else others.push({ event, place });
  }

  /**
   * Whether an event that depends on the external at this index of the schedule has appeared. What appeared before the external was due
   * counts only if a program sent it by itself. A reaction had another reason: it says nothing about how far the program is.
   */
  haveAppeared(at: number, session: AppearanceSession, dueMs: number): boolean {
    const { schedule, order, passes, keyOf } = this.options;
    const { atMs = 0 } = schedule[at] as Event;
    const tooMany = new Set<string>();
    for (const [key, { all, latestMs, isByItself }] of this.appearances.upTo(session))
      if ((isByItself || latestMs >= dueMs) && all > this.expectedBefore(key, at)) tooMany.add(key);
    if (tooMany.size === 0) return false;
    return order
      .after(at)
      .some((event) => isInternal(event) && tooMany.has(keyOf(event)) && !passes(event) && !wasInFlight(event, atMs));
  }

  /** How many events of this key had appeared before the external: they happened before it, later, or never. */
  private expectedBefore(key: string, at: number): number {
    const alike = this.alike.get(key) ?? [];
    return alike.filter(({ event, place }) => place < at || this.appearedBefore(event, at)).length;
  }

  /**
   * Whether a recorded event had appeared when the external happened, though it happened later: then it does not depend on the
   * external. An actor makes events when it handles one, and a timer is set then; other events are distinguished by their time.
   */
  private appearedBefore(event: Internal, at: number): boolean {
    const { schedule, order, isMadeByItself } = this.options;
    if (event.cause >= order.placeOf(at)) return false;
    const isSetByEvent = event.kind === 'fire' || !isMadeByItself(event);
    return isSetByEvent || ('sentMs' in event && event.sentMs <= latestMs(schedule[at] as Event));
  }
}

/** When an event happened at the latest: its recorded time may be a whole millisecond, as it was in old traces. */
const latestMs = ({ atMs = 0 }: Event): number => (Number.isInteger(atMs) ? atMs + 0.5 : atMs);

/** Whether a message was in flight already at that time of the recording: only its delivery may depend on what happened then. */
const wasInFlight = (event: Internal, atMs: number): boolean => event.kind === 'deliver' && event.sentMs < atMs;
