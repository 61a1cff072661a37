import type { EndedWait, External, Internal, Event } from '../../trace/event.ts';
import { hex, sameDigest } from '../../trace/digest.ts';
import { ENVIRONMENT, isInternal } from '../../trace/event.ts';
import { isSameChannel } from '../../trace/event-subject.ts';
import { Pause, type Session } from '../../kernel/ports.ts';
import { recounted } from '../../kernel/uncontrolled/recounted.ts';
import { appearedMs, isReaction } from './appeared.ts';
import { KnownAppearances } from './known-appearances.ts';
import { Appearing } from './appearing.ts';
import type { Matcher } from './match.ts';
import { undeliveredIn } from './undelivered-in.ts';
import { PassingPlaces } from './passing-places.ts';
import { RecordedOrder } from './recorded-order.ts';
import { ReplayedWaits } from './replayed-waits.ts';
import { ReplayEnd } from './replay-end.ts';
import { ScheduleIndex } from './schedule-index.ts';
import { ScheduleTimes } from './schedule-times.ts';
import { RecordedSuccessors, TooLate } from './too-late.ts';
import type { WaitingOptions, WaitingProgress } from './waiting-options.ts';
import { WaitingReport } from './waiting-report.ts';

/**
 * The waiting part of a replay (retrospective causal inference, figure 1 of the 2013 paper). An event of the schedule that is not
 * enabled is awaited for the time that it took in the recording, less the time that has passed already.
 */
export class Waiting {
  /** The events of the schedule as they are named when they happen without the rest of the recording. */
  readonly wanted: readonly Event[];
  private readonly report = new WaitingReport();
  private readonly index: ScheduleIndex;
  private readonly order: RecordedOrder;
  private readonly successors: RecordedSuccessors;
  private readonly known: KnownAppearances;
  private readonly appearing: Appearing;
  /** The names of what appears and does not happen now, where events that do not happen stay pending. */
  private readonly held: ReadonlySet<string>;
  /** Where the events of the schedule are in it. */
  private readonly places: ReadonlyMap<Event, number>;
  /** Indices of events that did not appear in time. */
  private readonly absent: Set<number>;
  /** Indices of events that happened while an earlier one was awaited. */
  private readonly ahead = new Set<number>();
  /** The events that are not awaited, because such events pass by a rule. */
  readonly passing: PassingPlaces;
  /** When the events that were given up were due. */
  private readonly givenUpMs = new Map<number, number>();
  private readonly times: ScheduleTimes;
  private readonly waits: ReplayedWaits;
  private readonly ending: ReplayEnd;

  constructor(
    private readonly schedule: readonly Event[],
    private readonly matcher: Matcher,
    private readonly options: WaitingOptions,
    /** Whether a fault of the schedule, from an index on, happens to a message. Then the message waits for it. */
    private readonly isTarget: (event: Internal, from: number) => boolean,
  ) {
    const { recording, fingerprint } = options;
    this.appearing = new Appearing(recording, schedule);
    const leftOut = options.unexpected === 'hold' ? this.appearing.leftOut : [];
    const now = recounted(recording, schedule, fingerprint, [
      ...leftOut,
      ...undeliveredIn(schedule, recording, options.undelivered),
    ]);
    this.wanted = now.events;
    this.held = new Set(options.unexpected === 'hold' ? now.undelivered.map(hex) : []);
    this.index = new ScheduleIndex(this.wanted, (event) => matcher.keyOf(event));
    this.order = new RecordedOrder(recording, schedule);
    const makers = { makerOf, isControlled: (name: string) => name !== ENVIRONMENT && options.isControlled(name) };
    const passes = (event: Event): boolean => options.passing?.hasRecorded(event) === true;
    this.known = new KnownAppearances(recording, passes, now.undelivered, this.order, makers);
    this.successors = new RecordedSuccessors({
      schedule,
      undelivered: now.undelivered,
      order: this.order,
      passes,
      keyOf: (event) => matcher.keyOf(event),
      isMadeByItself: (event) => this.isMadeByItself(event),
    });
    this.absent = new Set(options.absent);
    this.places = new Map(schedule.map((event, at) => [event, at]));
    this.times = new ScheduleTimes(recording, schedule);
    this.ending = new ReplayEnd(schedule, this.times, options);
    this.passing = new PassingPlaces({
      ...options,
      schedule,
      wanted: this.wanted,
      times: this.times,
      isDone: (at) => this.isDone(at),
      isMadeByItself: (event) => this.isMadeByItself(event),
    });
    this.waits = new ReplayedWaits(this.times, { ...options, isWhole: schedule.length === recording.length });
    if (options.begun !== undefined) this.catchUp(options.begun);
    if (options.after !== undefined) this.continueAfter(options.after);
    options.onBegin?.(this.report);
  }

  private catchUp({ events, nowMs }: NonNullable<WaitingOptions['begun']>): void {
    const places = new Map(this.schedule.map((event, at) => [hex(event), at]));
    for (const event of events) {
      const at = places.get(hex(event));
      if (at === undefined) this.known.somethingElseHappens(event);
      else {
        this.known.happens(at, event);
        this.ahead.add(at);
      }
    }
    this.times.continueAt(Math.max(0, ...this.ahead), nowMs);
  }

  private continueAfter({ known, times, absent, ahead, givenUpMs }: WaitingProgress): void {
    this.known.continueAfter(known);
    this.times.continueAfter(times);
    for (const at of absent) this.absent.add(at);
    for (const at of ahead) this.ahead.add(at);
    for (const [at, dueMs] of givenUpMs) this.givenUpMs.set(at, dueMs);
  }

  /** How far it has come by now. A checkpoint took a while, in which no time passes for the schedule. */
  progressAt(nowMs: number): WaitingProgress {
    const { known, times, absent, ahead, givenUpMs } = this;
    times.lastMs = nowMs;
    return {
      known: known.progress,
      times: times.progress,
      absent: new Set(absent),
      ahead: new Set(ahead),
      givenUpMs: new Map(givenUpMs),
    };
  }

  /** An event of the schedule happens. What follows is due as long after it as in the recording, unless it passes by a rule. */
  passed(at: number, event: Internal | External, session: Session): void {
    this.begins(at, event, session);
    if (!this.passing.has(at)) this.times.happens(at, session.nowMs);
  }

  /** An event of the schedule happens before its turn. The awaited event is due when it was. */
  passedAhead(at: number, event: Internal | External, session: Session): void {
    this.begins(at, event, session);
    this.ahead.add(at);
  }

  private begins(at: number, event: Internal | External, session: Session): void {
    session.followRecording(this.times.momentOf(at));
    if (this.passing.has(at)) return this.notePassed();
    this.known.happens(at, this.schedule[at] as Event);
    this.noteAppearance(at, event, session.nowMs);
  }

  /** Whether the event happened before its turn. */
  isDone(at: number): boolean {
    return this.ahead.has(at);
  }

  /** Whether nothing has to wait for the event. */
  private isAwaitedByNone(at: number): boolean {
    return this.isDone(at) || this.passing.has(at);
  }

  /** An enabled event that passes by a rule, and need not wait for its place. */
  nextPassing(at: number, { enabled, nowMs }: Session): Internal | undefined {
    return enabled.find((event) => this.passing.passesNow(event, at, nowMs));
  }

  /** It happens. */
  notePassed(): void {
    this.report.passed += 1;
  }

  private passes(event: Internal, { nowMs }: Session): boolean {
    return this.passing.passes(event, nowMs);
  }

  /** An event of the schedule happened with the action that brings it about. */
  cameAlong(at: number): void {
    this.known.happens(at, this.schedule[at] as Event);
  }

  /** An event of the schedule is given up. The time for which it was awaited in vain delays nothing that follows. */
  givenUp(at: number): void {
    const dueMs = this.times.dueMs(at);
    this.times.continueAt(at, dueMs);
    this.givenUpMs.set(at, dueMs);
  }

  /** The pause in which the event may still appear; undefined if it did not appear in time. */
  pauseFor(at: number, session: Session, unblocks: boolean): Pause | undefined {
    const wanted = this.wanted[at] as Internal;
    const dueMs = Math.min(this.times.dueMs(at), this.ending.quietAfter(at, session));
    const leftMs = dueMs + this.options.epsilonMs - session.nowMs;
    if (leftMs <= 0 || this.cannotAppear(wanted, session)) this.absent.add(at);
    if (this.absent.has(at)) {
      this.report.absent.add(at);
      return undefined;
    }
    const isWanted = (event: Internal): boolean => this.isLike(event, wanted) && this.mayStandIn(event, at);
    // What waits behind other messages has appeared: a replay that unblocks delivers those first.
    const isInFront = (event: Internal): boolean =>
      unblocks && isSameChannel(event, wanted) && session.world.pending.some((pending) => isWanted(pending));
    const free = this.free(at, session);
    const isFree = (event: Internal): boolean =>
      free.some((later) => this.isLike(event, this.wanted[later] as Event) && this.mayStandIn(event, later));
    const matching = (event: Internal): boolean =>
      isWanted(event) || this.mayHappen(event, at, session) || isInFront(event) || isFree(event);
    return new Pause({ ms: Math.min(leftMs, this.nextDueMs(at, session.nowMs) - session.nowMs), matching });
  }

  /** Indices of later events that need not wait for this one: they are due, and depend on nothing that is awaited. */
  free(at: number, { nowMs }: Session): readonly number[] {
    const found: number[] = [];
    for (let later = at + 1; later < this.schedule.length && this.times.dueMs(later) <= nowMs; later++)
      if (this.isFree(later, at)) found.push(later);
    return found;
  }

  /** When the next event is due that need not wait for this one. */
  private nextDueMs(at: number, nowMs: number): number {
    const untilMs = this.times.dueMs(at) + this.options.epsilonMs;
    for (let later = at + 1; later < this.schedule.length && this.times.dueMs(later) < untilMs; later++)
      if (this.times.dueMs(later) > nowMs && this.isFree(later, at)) return this.times.dueMs(later);
    return Number.POSITIVE_INFINITY;
  }

  private isFree(later: number, at: number): boolean {
    if (this.isDone(later)) return false;
    for (let earlier = at; earlier < later; earlier++)
      if (!this.isAwaitedByNone(earlier) && this.order.mustFollow(later, earlier)) return false;
    return true;
  }

  /** The pause before an external: it happens as long after the event before it as in the recording. */
  pauseBefore(at: number, session: Session): Pause | undefined {
    const leftMs = this.times.dueMs(at) - session.nowMs;
    return leftMs > 0 ? new Pause({ ms: leftMs, matching: (event) => this.mayHappen(event, at, session) }) : undefined;
  }

  /** A wait of the schedule: the event if it is over, otherwise the pause until it may be. */
  endOfWait(at: number, recorded: EndedWait, session: Session): EndedWait | Pause {
    const { nowMs } = session;
    const end = this.waits.endOf(at, recorded, session, this.times.dueMs(at));
    return typeof end === 'number' ? new Pause({ ms: Math.min(end, this.nextDueMs(at, nowMs) - nowMs) }) : end;
  }

  /** The pause before a fault whose message is not there yet; undefined if it did not appear in time. */
  pauseForTargets(at: number, session: Session, areThere: () => boolean): Pause | undefined {
    const leftMs = this.times.dueMs(at) + this.options.epsilonMs - session.nowMs;
    return leftMs > 0
      ? new Pause({ ms: leftMs, matching: (event) => areThere() || this.mayHappen(event, at, session) })
      : undefined;
  }

  /** An enabled event that the rest of the schedule does not have, if such events happen at once. */
  unexpected(at: number, session: Session): Internal | undefined {
    const found = session.enabled.find((event) => this.mayPass(event, at) && !this.passes(event, session));
    if (found !== undefined) this.noteUnexpected(found, at, session);
    return found;
  }

  /** An event happens out of turn: it is marked unless the schedule has it. */
  noteUnexpected(event: Internal, at: number, session: Session): void {
    if (this.passes(event, session)) return;
    const { world, nowMs } = session;
    this.known.somethingElseHappens(event);
    if (!this.isUnexpected(event, at) || this.isLate(event, nowMs)) return;
    this.report.unexpected.push(world.length);
    if (at < this.schedule.length) this.report.newWithin += 1;
  }

  /** Several events could stand in for the recorded one. */
  noteAmbiguity(): void {
    this.report.ambiguous += 1;
  }

  /** Whether the event is one that was given up: it comes late, but is not new. */
  private isLate(event: Internal, nowMs: number): boolean {
    for (const [at, dueMs] of this.givenUpMs) {
      const wanted = this.wanted[at] as Event;
      if (!this.isLike(event, wanted)) continue;
      this.givenUpMs.delete(at);
      const lateMs = appearedMs(event, nowMs) - dueMs;
      // What comes much later comes for another reason, and says nothing about how late events are.
      this.report.appears(
        at,
        lateMs > LATE * Math.max(this.options.epsilonMs, LATE_MIN_MS) ? undefined : this.latenessOf(event, lateMs),
      );
      return true;
    }
    return false;
  }

  private noteAppearance(at: number, event: Internal | External, nowMs: number): void {
    if (isInternal(event))
      this.report.appears(at, this.latenessOf(event, appearedMs(event, nowMs) - this.times.dueMs(at)));
    // A fault was as late as the message that it awaited.
    else if ('target' in event) this.report.lateness.push(Math.max(0, nowMs - this.times.dueMs(at)));
  }

  /** Undefined for an event of a process that does nothing by itself: it comes when we let it. */
  private latenessOf(event: Internal, ms: number): number | undefined {
    return this.isMadeByItself(event) ? ms : undefined;
  }

  /** The events of these that may stand in for the wanted one. */
  standIns(events: readonly Internal[], at: number): readonly Internal[] {
    return events.filter((event) => this.mayStandIn(event, at));
  }

  /** An event that the schedule has later stands in for no other, and one that is to stay pending for none that appears itself. */
  private mayStandIn(event: Internal, at: number): boolean {
    if (this.held.has(hex(event)) && this.appearing.has(this.schedule[at] as Event)) return false;
    return !this.isClaimed(event, at);
  }

  /** The pause at the end of the schedule: what follows may still appear. Undefined when the replay is over. */
  pauseAtEnd(session: Session): Pause | undefined {
    return this.ending.pause(session);
  }

  /** Throws if an event that depends on the external has appeared before it, while the replay may still start over. */
  refuseIfTooLate(at: number, session: Session): void {
    if (this.options.isControl === true) return;
    if (!this.successors.haveAppeared(at, session, this.times.dueMs(at))) return;
    if (this.options.restarts > 0) throw new TooLate(this.absent);
    this.report.isEarly = true;
  }

  /**
   * Whether waiting for an event is in vain. Its recorded cause did not happen, and its maker does nothing by itself, or reacted to that
   * cause: another event may have caused the same, but then it is enabled by now. Or an actor has handled the cause, and sent no such message.
   */
  private cannotAppear(event: Internal, { world }: Session): boolean {
    const causedBy = this.options.recording[event.cause];
    const isByItself = this.isMadeByItself(event);
    if (causedBy === undefined || (isByItself && !isReaction(event, causedBy))) return false;
    const place = this.places.get(causedBy);
    if (place === undefined || this.absent.has(place)) return true;
    return (
      event.kind === 'deliver' &&
      !isByItself &&
      world.delayed.length === 0 &&
      !world.pending.some((pending) => this.isLike(pending, event))
    );
  }

  private isMadeByItself(event: Internal): boolean {
    const maker = makerOf(event);
    return maker !== ENVIRONMENT && !this.options.isControlled(maker);
  }

  /** Whether another event of the rest of the schedule is this one, and not only like it. */
  private isClaimed(event: Internal, at: number): boolean {
    return !sameDigest(event, this.wanted[at] as Event) && this.index.isBehind(event, at);
  }

  /** Whether an event that is not awaited happens at once. */
  private mayHappen(event: Internal, at: number, session: Session): boolean {
    return this.passes(event, session) ? this.passing.passesNow(event, at, session.nowMs) : this.mayPass(event, at);
  }

  /** Whether an event happens at once: a new one if such events may, and one that was given up and comes late. */
  private mayPass(event: Internal, at: number): boolean {
    return (this.options.unexpected === 'pass' || this.wasGivenUp(event)) && this.isUnexpected(event, at);
  }

  /** Whether the schedule has the event, but did not await it any longer. */
  private wasGivenUp(event: Internal): boolean {
    return [...this.givenUpMs.keys()].some((at) => this.isLike(event, this.wanted[at] as Event));
  }

  private isUnexpected(event: Internal, at: number): boolean {
    if (this.index.like(event, at).some((later) => !this.isAwaitedByNone(later))) return false;
    return !this.isTarget(event, at) && !(at < this.schedule.length && this.known.has(event, at));
  }

  private isLike(event: Internal, wanted: Event): boolean {
    return isInternal(wanted) && this.matcher.keyOf(event) === this.matcher.keyOf(wanted);
  }
}

const makerOf = (event: Internal): string => (event.kind === 'deliver' ? event.from : event.process);

/** So many times ε after it was due, an event counts as late. */
const LATE = 3;
const LATE_MIN_MS = 25;
