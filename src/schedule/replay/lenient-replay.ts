import { hex } from '../../trace/digest.ts';
import {
  externalOf,
  isConsequence,
  isInternal,
  type Deliver,
  type Event,
  type External,
  type ExternalEvent,
  type Internal,
} from '../../trace/event.ts';
import { isSameChannel } from '../../trace/event-subject.ts';
import { Pause, type Session, type Strategy } from '../../kernel/ports.ts';
import type { Likeness, Matcher } from './match.ts';
import { refusalNow } from './recorded-external.ts';
import { Waiting } from './waiting.ts';
import type { WaitingOptions, WaitingProgress } from './waiting-options.ts';

export interface LenientReplayOptions {
  readonly matcher: Matcher;
  readonly likeness: Likeness;
  /**
   * How a replay treats an event that cannot happen. `skip`: it is left out. `unblock`: if its message waits behind
   * others on its link, those are delivered first; otherwise it is left out. `repair`: in addition, its sender may
   * perform an event that makes it send. `stop`: the execution ends.
   */
  readonly absent: 'skip' | 'unblock' | 'repair' | 'stop';
  /**
   * Which of several possible stand-ins to take, the first time, the second time and so on; 0, the oldest, after the
   * last entry. Without choices, the event itself happens if it can, and otherwise the closest one.
   */
  readonly choices: readonly number[] | undefined;
  /** With choices: the number of events at the beginning of the schedule to which choices do not apply; 0 by default. */
  readonly settled?: number;
  /**
   * The messages that the environment lost, duplicated or held back, and the events that ended holds, by identity; undefined if the
   * event is unknown.
   */
  readonly targets: ReadonlyMap<string, Internal | undefined>;
  /** Called before a choice is made, with the progress in the schedule and the ambiguities so far. */
  readonly onChoice?: (session: Session, at: number, ambiguities: readonly number[]) => void;
  /** Where events appear by themselves: how they are awaited. Elsewhere an event that is not enabled is absent at once. */
  readonly waiting?: WaitingOptions;
}

/**
 * Follows a schedule as far as possible: each event, or one that is like it, happens if it can. Other events stay
 * pending. (DEMi's STSSched, which skips.)
 */
export class LenientReplay implements Strategy {
  /** The number of candidates of each choice. */
  readonly ambiguities: number[];
  /** The indices of events for which nothing could happen. */
  readonly missed: number[] = [];
  /** By index of an event of the execution: the index of the event of the schedule that it is. */
  readonly places = new Map<number, number>();
  private at: number;
  /** Whether the last event passed by a rule. */
  private hasPassed = false;
  /** Where events appear by themselves. */
  private readonly waiting: Waiting | undefined;
  private readonly schedule: readonly Event[];
  /** The faults of the schedule that happen to a message, and the messages. */
  private readonly faults: readonly { readonly place: number; readonly target: string }[];

  constructor(
    schedule: readonly Event[],
    private readonly options: LenientReplayOptions,
    /** The number of events of the schedule that the session has behind it. */
    from = 0,
    ambiguities: readonly number[] = [],
  ) {
    this.at = from;
    this.ambiguities = [...ambiguities];
    this.faults = schedule.flatMap((event, place) => ('target' in event ? [{ place, target: event.target }] : []));
    const isTarget = (event: Internal, place: number): boolean => this.isTarget(event, place);
    this.waiting = options.waiting && new Waiting(schedule, options.matcher, options.waiting, isTarget);
    this.schedule = this.waiting?.wanted ?? schedule;
  }

  /** The number of events of the schedule that are done. */
  get progress(): number {
    return this.at;
  }

  /** After a checkpoint: how far the waiting has come. */
  waitingProgress({ nowMs }: Session): WaitingProgress | undefined {
    return this.waiting?.progressAt(nowMs);
  }

  next(session: Session): Internal | External | Pause | undefined {
    if (session.nowMs >= (this.options.waiting?.untilMs ?? Number.POSITIVE_INFINITY)) return undefined;
    const passing = this.waiting?.nextPassing(this.at, session);
    // In turns: messages that bring about more of their kind must not keep the schedule from being followed.
    const followed = passing !== undefined && !this.hasPassed ? passing : this.follow(session);
    const next = followed instanceof Pause && passing !== undefined ? passing : followed;
    this.hasPassed = next !== undefined && next === passing;
    if (this.hasPassed) this.waiting?.notePassed();
    return next;
  }

  /** The next event of the schedule, or one that the schedule does not have. */
  private follow(session: Session): Internal | External | Pause | undefined {
    const unexpected = this.isEnabledNow(session) ? undefined : this.waiting?.unexpected(this.at, session);
    if (unexpected !== undefined) return unexpected;
    for (; this.at < this.schedule.length; this.at++) {
      const { at } = this;
      const wanted = this.schedule[at] as Event;
      if (this.hasHappened(at, wanted)) continue;
      const found = isInternal(wanted) ? this.internal(session, wanted) : this.external(session, wanted);
      if (found instanceof Pause) return this.meanwhile(session) ?? found;
      if (found !== undefined) return this.taken(found, at, session);
      if (this.endsWithout(at)) return undefined;
    }
    return this.waiting?.pauseAtEnd(session);
  }

  /** Whether the replay is over, because nothing can happen for the event. */
  private endsWithout(at: number): boolean {
    // What passes by a rule is not missed.
    if (this.waiting?.passing.has(at) === true) return false;
    this.waiting?.givenUp(at);
    if (this.options.absent === 'stop') return true;
    this.missed.push(at);
    return false;
  }

  private internal(session: Session, wanted: Internal): Internal | Pause | undefined {
    if (this.waiting?.passing.has(this.at) !== true) return this.standIn(session, wanted);
    const itself = session.find(wanted);
    return itself && this.passed(itself);
  }

  /** Whether the event of the schedule has happened before its turn, or with the action that brings it about. */
  private hasHappened(at: number, wanted: Event): boolean {
    if (this.waiting?.isDone(at) === true) return true;
    if (!this.comesAlong(wanted)) return false;
    this.waiting?.cameAlong(at);
    return true;
  }

  /** Whether the next event of the schedule can happen: then it does, as recorded, before any that the schedule does not have. */
  private isEnabledNow(session: Session): boolean {
    const wanted = this.schedule[this.at];
    return wanted !== undefined && isInternal(wanted) && this.find(session, wanted, this.needed).length > 0;
  }

  /** The event, which is that of the schedule unless it only brings it nearer. */
  private taken<T extends Internal | External>(found: T, at: number, session: Session): T {
    if (this.at === at) return found;
    this.waiting?.passed(at, found, session);
    this.places.set(session.world.length, at);
    return found;
  }

  /** While an event is awaited: a later event that is due, and depends on nothing that is awaited. */
  private meanwhile(session: Session): Internal | External | undefined {
    for (const at of this.waiting?.free(this.at, session) ?? []) {
      const wanted = this.schedule[at] as Event;
      const found = isInternal(wanted)
        ? this.find(session, wanted, this.needed, at)[0]
        : this.injected(session, wanted, at);
      if (found === undefined) continue;
      this.waiting?.passedAhead(at, found, session);
      this.places.set(session.world.length, at);
      return found;
    }
    return undefined;
  }

  private standIn(session: Session, wanted: Internal): Internal | Pause | undefined {
    const { likeness, absent } = this.options;
    const found = this.one(session, this.find(session, wanted, this.needed));
    if (found !== undefined) return this.passed(found);
    // Performs an event that brings the wanted event nearer, which is looked for again afterwards.
    const mayRepair = absent === 'repair' || absent === 'unblock';
    const repair = mayRepair && wanted.kind === 'deliver' ? this.repair(session, wanted) : undefined;
    if (repair !== undefined) this.waiting?.noteUnexpected(repair, this.at, session);
    if (repair !== undefined) return repair;
    const pause = this.waiting?.pauseFor(this.at, session, mayRepair);
    if (pause !== undefined || likeness !== 'place') return pause;
    const instead = this.one(session, this.find(session, wanted, 'place'));
    return instead && this.passed(instead);
  }

  private find(session: Session, wanted: Internal, likeness: Likeness, at = this.at): readonly Internal[] {
    const { matcher, choices, settled = 0 } = this.options;
    const isChosen = choices !== undefined && at >= settled;
    // The session finds an event by its identity without looking at all of them.
    const itself = isChosen ? undefined : session.find(wanted);
    if (itself !== undefined && isSameChannel(itself, wanted)) return [itself];
    const like = session.enabledLike(wanted);
    const found = isChosen ? matcher.findAll(like, wanted, likeness) : matcher.find(like, wanted, likeness);
    return this.waiting?.standIns(found, at) ?? found;
  }

  /** The likeness that is tried first, and for which repairs are made. A match by place is the last resort. */
  private get needed(): Likeness {
    return this.options.likeness === 'content' ? 'content' : 'type';
  }

  private passed<T>(found: T): T {
    this.at += 1;
    return found;
  }

  private one(session: Session, found: readonly Internal[]): Internal | undefined {
    if (found.length < 2) return found[0];
    const { choices, onChoice } = this.options;
    onChoice?.(session, this.at, this.ambiguities);
    const choice = choices?.[this.ambiguities.length] ?? 0;
    this.ambiguities.push(found.length);
    this.waiting?.noteAmbiguity();
    return found[choice];
  }

  /** Delivers the messages in front of the wanted one, or performs the event that makes its sender send it. */
  private repair(session: Session, wanted: Deliver): Internal | undefined {
    const { matcher } = this.options;
    const pending = matcher.find(session.pendingLike(wanted), wanted, this.needed);
    if ((this.waiting?.standIns(pending, this.at) ?? pending).length > 0) return session.enabledLike(wanted)[0];
    if (this.options.absent === 'unblock') return undefined;
    const repairs = session
      .enabledAt(wanted.from)
      .filter(({ kind }) => kind !== 'fire')
      .map((event) => ({ event, closeness: this.bringsAbout(session.fork?.(), event, wanted) }))
      .filter(({ closeness }) => closeness > 0)
      .sort((one, other) => other.closeness - one.closeness);
    return this.one(
      session,
      repairs.map(({ event }) => event),
    );
  }

  /** How close a message can be delivered after this event: 0 if none. */
  private bringsAbout(fork: Session | undefined, event: Internal, wanted: Deliver): number {
    const pending = fork?.perform(event);
    // The further effects of a suspended handler are not visible at once.
    if (pending !== undefined) void pending.catch(() => undefined);
    if (fork === undefined || pending !== undefined) return 0;
    const [found] = this.options.matcher.find(fork.enabledLike(wanted), wanted, this.needed);
    return found === undefined ? 0 : this.options.matcher.closeness(found, wanted);
  }

  private external(session: Session, wanted: ExternalEvent): External | Pause | undefined {
    if (this.comesAlong(wanted)) return undefined;
    if (wanted.kind === 'wait' && this.waiting !== undefined) {
      const ended = this.waiting.endOfWait(this.at, wanted, session);
      return ended instanceof Pause ? ended : this.passed(ended);
    }
    const pause =
      this.waiting?.pauseBefore(this.at, session) ??
      (this.hasTargets(session, wanted)
        ? undefined
        : this.waiting?.pauseForTargets(this.at, session, () => this.hasTargets(session, wanted)));
    if (pause !== undefined) return pause;
    const external = this.injected(session, wanted, this.at);
    return external && this.passed(external);
  }

  /** The external, if it can happen now. */
  private injected(session: Session, wanted: ExternalEvent, at: number): External | undefined {
    if (this.comesAlong(wanted)) return undefined;
    this.waiting?.refuseIfTooLate(at, session);
    const external = this.retargeted(session, externalOf(wanted));
    return external !== undefined && refusalNow(session, external) === undefined ? external : undefined;
  }

  /** Whether the event is a consequence of an action, and happens with it. */
  private comesAlong(wanted: Event): boolean {
    if (isInternal(wanted) || wanted.cause < 0) return false;
    return !('target' in wanted) || !this.options.targets.has(wanted.target);
  }

  /** The same fault on the message that is most like the original target; a hold also needs the event that is to end it. */
  private retargeted(session: Session, external: External): External | undefined {
    if (!('target' in external)) return external;
    const target = this.targetLike(session, external.target, session.world.pending);
    if (target === undefined || external.kind !== 'hold')
      return target === undefined ? undefined : { ...external, target };
    // The hold ends with an event that can happen now.
    const until = this.targetLike(session, external.until, session.enabled);
    return until === undefined ? undefined : { ...external, target, until };
  }

  /** Whether a fault of the schedule from there on happens to the message. */
  private isTarget(event: Internal, from: number): boolean {
    return this.faults.some(({ place, target }) => place >= from && this.alike(target, [event]).length > 0);
  }

  /** Whether the message of a fault is there, and for a hold also the event that is to end it. */
  private hasTargets(session: Session, external: ExternalEvent): boolean {
    if (!('target' in external)) return true;
    const isThere = (id: string, among: readonly Internal[]): boolean => this.alike(id, among).length > 0;
    return (
      isThere(external.target, session.world.pending) &&
      (external.kind !== 'hold' || isThere(external.until, session.enabled))
    );
  }

  /** The identity of the event, or of the one that is most like it. */
  private targetLike(session: Session, id: string, among: readonly Internal[]): string | undefined {
    const found = this.one(session, this.alike(id, among));
    return found && hex(found);
  }

  /** The event itself, or those that are most like it. */
  private alike(id: string, among: readonly Internal[]): readonly Internal[] {
    const { targets, matcher, likeness } = this.options;
    const itself = among.find((event) => hex(event) === id);
    const then = targets.get(id);
    return itself !== undefined ? [itself] : then === undefined ? [] : matcher.find(among, then, likeness);
  }
}

/** The targets of losses, duplications and holds in a recording that does not contain the messages. */
export const unknownTargets = (events: readonly Event[]): Map<string, Internal | undefined> =>
  new Map(
    events.flatMap((event): [string, undefined][] => {
      if (!('target' in event) || isConsequence(event, events)) return [];
      return [
        [event.target, undefined],
        ...(event.kind === 'hold' ? [[event.until, undefined] as [string, undefined]] : []),
      ];
    }),
  );
