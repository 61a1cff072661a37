import type { Internal, Event } from '../../trace/event.ts';
import { sameDigest } from '../../trace/digest.ts';
import { ENVIRONMENT, isInternal } from '../../trace/event.ts';
import { isSameChannel } from '../../trace/event-subject.ts';
import { successorsOf } from '../../trace/live-causality.ts';
import { Pause, type Session } from '../../kernel/ports.ts';
import type { Matcher } from './match.ts';

/** How a replay waits for events that appear by themselves. */
export interface WaitingOptions {
  /** An event is awaited for its recorded gap, and this much longer. */
  readonly epsilonMs: number;
  /** Events that the schedule does not have: they happen at once, or stay pending. */
  readonly unexpected: 'pass' | 'hold';
  /** The execution that the schedule is a part of: it says what depends on what. */
  readonly recording: readonly Event[];
  /** Whether a process does nothing by itself. */
  readonly isControlled: (process: string) => boolean;
  /** How long nothing must happen after the schedule before the replay is over. */
  readonly quietMs: number;
  /** How often the replay may still start over; then an external that comes too late happens all the same. */
  readonly restarts: number;
  /** Indices of events that are known not to appear: a replay that began before waited for them in vain. */
  readonly absent: ReadonlySet<number>;
}

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

/**
 * The waiting part of a replay (retrospective causal inference, figure 1 of the 2013 paper). An event of the schedule that is not
 * enabled is awaited for the time that it took in the recording, less the time that has passed already.
 */
export class Waiting {
  /** Indices of events that did not appear in time. */
  private readonly absent: Set<number>;
  /** When the last event of the schedule happened in this replay, and when it did in the recording. */
  private lastMs = 0;
  private recordedMs = 0;
  /** How much had happened when it last looked. */
  private seen = 0;

  constructor(
    private readonly schedule: readonly Event[],
    private readonly matcher: Matcher,
    private readonly options: WaitingOptions,
  ) {
    this.absent = new Set(options.absent);
    this.recordedMs = schedule[0]?.atMs ?? 0;
  }

  /** An event of the schedule happens. What follows is due as long after it as in the recording. */
  passed(at: number, { nowMs }: Session): void {
    this.lastMs = nowMs;
    this.recordedMs = this.schedule[at]?.atMs ?? this.recordedMs;
  }

  /** An event of the schedule is given up. The time for which it was awaited in vain delays nothing that follows. */
  givenUp(at: number): void {
    this.lastMs = this.dueMs(at);
    this.recordedMs = this.schedule[at]?.atMs ?? this.recordedMs;
  }

  /** The pause in which the event may still appear; undefined if it did not appear in time. */
  pauseFor(at: number, session: Session, unblocks: boolean): Pause | undefined {
    const wanted = this.schedule[at] as Internal;
    const leftMs = this.dueMs(at) + this.options.epsilonMs - session.nowMs;
    if (leftMs <= 0 || this.cannotAppear(wanted)) this.absent.add(at);
    if (this.absent.has(at)) return undefined;
    const isWanted = (event: Internal): boolean => this.isLike(event, wanted) && !this.isClaimed(event, at);
    // What waits behind other messages has appeared: a replay that unblocks delivers those first.
    const isInFront = (event: Internal): boolean =>
      unblocks && isSameChannel(event, wanted) && session.world.pending.some((pending) => isWanted(pending));
    const matching = (event: Internal): boolean => isWanted(event) || this.mayPass(event, at) || isInFront(event);
    return new Pause({ ms: leftMs, matching });
  }

  /** The pause before an external: it happens as long after the event before it as in the recording. */
  pauseBefore(at: number, session: Session): Pause | undefined {
    const leftMs = this.dueMs(at) - session.nowMs;
    return leftMs > 0 ? new Pause({ ms: leftMs, matching: (event) => this.mayPass(event, at) }) : undefined;
  }

  /** An enabled event that the rest of the schedule does not have, if such events happen at once. */
  unexpected(at: number, { enabled }: Session): Internal | undefined {
    return enabled.find((event) => this.mayPass(event, at));
  }

  /** The events of these that may stand in for the wanted one: not those that the schedule itself has later. */
  standIns(events: readonly Internal[], at: number): readonly Internal[] {
    return events.filter((event) => !this.isClaimed(event, at));
  }

  /** The pause at the end of the schedule: what follows may still appear. Undefined when nothing has for long enough. */
  quiet(session: Session): Pause | undefined {
    const seen = session.recording.events.length + session.recording.notes.length;
    if (seen !== this.seen) this.lastMs = session.nowMs;
    this.seen = seen;
    const leftMs = this.lastMs + this.options.quietMs - session.nowMs;
    return leftMs > 0 ? new Pause({ ms: leftMs }) : undefined;
  }

  /** Throws if an event that depends on the external has appeared before it. */
  refuseIfTooLate(at: number, session: Session): void {
    const { recording, restarts } = this.options;
    if (restarts <= 0) return;
    const recordedAt = recording.indexOf(this.schedule[at] as Event);
    if (recordedAt < 0) return;
    for (const later of successorsOf(recording, recordedAt)) {
      const event = recording[later] as Event;
      if (isInternal(event) && this.appearances(event, session) > this.expectedBefore(event, at))
        throw new TooLate(this.absent);
    }
  }

  /**
   * Whether the recorded cause of an event did not happen, and its maker does nothing by itself: then waiting is in vain. Another
   * event may have caused the same, but then it is enabled by now.
   */
  private cannotAppear({ cause, ...event }: Internal): boolean {
    const maker = event.kind === 'deliver' ? event.from : event.process;
    const causedBy = this.options.recording[cause];
    if (causedBy === undefined || (maker !== ENVIRONMENT && !this.options.isControlled(maker))) return false;
    const place = this.schedule.indexOf(causedBy);
    return place < 0 || this.absent.has(place);
  }

  private dueMs(at: number): number {
    const { atMs } = this.schedule[at] as Event;
    return this.lastMs + Math.max(0, (atMs ?? this.recordedMs) - this.recordedMs);
  }

  /** Whether another event of the rest of the schedule is this one, and not only like it. */
  private isClaimed(event: Internal, at: number): boolean {
    return (
      !sameDigest(event, this.schedule[at] as Event) &&
      this.schedule.slice(at + 1).some((later) => sameDigest(event, later))
    );
  }

  private mayPass(event: Internal, at: number): boolean {
    return this.options.unexpected === 'pass' && this.isUnexpected(event, at);
  }

  private isUnexpected(event: Internal, at: number): boolean {
    for (let later = at; later < this.schedule.length; later++)
      if (this.isLike(event, this.schedule[later] as Event)) return false;
    return true;
  }

  private isLike(event: Internal, wanted: Event): boolean {
    return isInternal(wanted) && this.matcher.find([event], wanted, 'content').length > 0;
  }

  /** How many events like it have happened or are pending. */
  private appearances(wanted: Internal, { recording, world }: Session): number {
    const happened = recording.events.since(0).filter((event) => isInternal(event) && this.isLike(event, wanted));
    return happened.length + world.pending.filter((event) => this.isLike(event, wanted)).length;
  }

  /** How many events like it the schedule has before the external. */
  private expectedBefore(wanted: Internal, at: number): number {
    return this.schedule.slice(0, at).filter((event) => isInternal(event) && this.isLike(wanted, event)).length;
  }
}
