import { judgeFor } from '../execution/judge-for-violation.ts';
import type { Origin } from '../execution/record.ts';
import { judging, verdictOfError, type Judge } from '../execution/run-and-judge.ts';
import { Checkpoints } from '../execution/prefix-sessions.ts';
import { targetOf } from '../hosts/target.ts';
import { carefully, drive } from '../kernel/drive.ts';
import { Rest, TimeSlice, type Steps } from '../kernel/loop.ts';
import type { Session, Target } from '../kernel/ports.ts';
import { TimedOut } from '../kernel/user-code/time-limit.ts';
import { LenientReplay, type LenientReplayOptions } from '../schedule/replay/lenient-replay.ts';
import { Matcher, type ContentOf } from '../schedule/replay/match.ts';
import { sameDigest } from '../trace/digest.ts';
import { isConsequence, type Event } from '../trace/event.ts';
import { isUndecided, type Verdict, type Violated } from '../trace/verdict.ts';
import { Branches } from './branches.ts';
import { keyOf } from './candidates.ts';
import { failingEvents, lostToCutsIn, targetsIn } from './failing.ts';
import type { CandidateSchedule, Failing } from './pass.ts';
import type { Renaming } from './passes/renaming.ts';
import { Transitions } from './transitions.ts';

/** How the candidates of a system are executed and judged. */
interface CandidateExecution extends Judge {
  readonly target: Target;
  readonly seed: number;
  /** The content of a message, for matching. */
  readonly contentOf: ContentOf;
}

/** How candidates are executed in a search for one violation. */
export const executionOf = (origin: Origin, violation: Violated): CandidateExecution => ({
  target: targetOf(origin.system),
  ...judgeFor(origin, violation),
  seed: origin.seed,
  contentOf: origin.system.hints.contentOf,
});

export interface CandidateOptions extends CandidateExecution {
  /** Whether candidates that begin alike share the execution of their beginning. */
  readonly sharesBeginnings: boolean;
  /** Whether it is the violation that is minimized, and not another bug. With a renaming, its processes have new names. */
  readonly isSame: (violation: Violated, renaming: Renaming | undefined) => boolean;
}

/** A failing execution as plain data. */
export type PlainFailing = Pick<Failing, 'events' | 'violation' | 'targets' | 'lostToCuts'>;

/** How a candidate was executed: plain data. */
export interface Tried {
  /** The execution if it is violated, and whether the violation is the one that is minimized. */
  readonly violated: { readonly failing: PlainFailing; readonly isSame: boolean } | undefined;
  /** Whether the verdict is unknown. */
  readonly isUnknown: boolean;
  readonly ambiguities: readonly number[];
  /** The number of events that were executed. */
  readonly events: number;
}

/** A session, and the replay that continues it. */
interface TrialStart {
  readonly session: Session;
  readonly strategy: LenientReplay;
}

/** The execution of a candidate. */
interface Trial extends TrialStart {
  readonly candidate: CandidateSchedule;
  /** The number of events that the session had before. */
  readonly before: number;
}

/** Executes candidates in this thread. A beginning that candidates share is executed only once. */
export class CandidateExecutor {
  private readonly matcher: Matcher;
  private checkpoints: Checkpoints | undefined;
  private branches: Branches | undefined;
  private base: readonly Event[] = [];
  private transitions: Promise<Transitions> | undefined;
  private observed: Transitions | undefined;
  /** The execution that is under way. */
  private trial: Trial | undefined;

  constructor(
    private readonly options: CandidateOptions,
    /** The execution that is minimized, as it was given; by default, the first base. */
    private original?: readonly Event[],
  ) {
    this.matcher = new Matcher(options.contentOf);
  }

  /** Sets the execution with which the next candidates are likely to begin. */
  rebase(events: readonly Event[]): void {
    const { target, seed, sharesBeginnings } = this.options;
    this.base = events;
    this.original ??= events;
    this.checkpoints = sharesBeginnings ? new Checkpoints(() => target.open(seed), events) : undefined;
  }

  /** Executes candidates one after another, the first one in any case, until it is over. */
  async tryEach(
    candidates: readonly CandidateSchedule[],
    isOver: (last: Tried) => boolean,
    fromStart = false,
  ): Promise<readonly Tried[]> {
    const done: Tried[] = [];
    for (;;) {
      try {
        await this.tryInOneGo(candidates, done, isOver, fromStart);
        return done;
      } catch (error) {
        const last = await this.afterError(error, candidates[done.length] as CandidateSchedule);
        done.push(last);
        if (done.length === candidates.length || isOver(last)) return done;
      }
    }
  }

  /**
   * The same for the candidates after those that are done, except that an error ends it. One clock watches over all of them: starting
   * one takes long on a busy machine.
   */
  async tryInOneGo(
    candidates: readonly CandidateSchedule[],
    done: Tried[],
    isOver: (last: Tried) => boolean,
    fromStart = false,
  ): Promise<void> {
    await this.observe(candidates);
    await drive(this.each(candidates, done, isOver, fromStart), this.options.handlerMs);
  }

  /** Some candidates are compared with what the original execution did. */
  private async observe(candidates: readonly CandidateSchedule[]): Promise<void> {
    if (this.observed !== undefined || candidates.every(({ mayDiverge }) => mayDiverge !== false)) return;
    const { target, seed, contentOf } = this.options;
    this.transitions ??= Transitions.observedIn(target.open(seed), this.original ?? [], contentOf);
    this.observed = await this.transitions;
  }

  private *each(
    candidates: readonly CandidateSchedule[],
    done: Tried[],
    isOver: (last: Tried) => boolean,
    fromStart: boolean,
  ): Steps<void> {
    const slice = new TimeSlice();
    while (done.length < candidates.length) {
      const candidate = candidates[done.length] as CandidateSchedule;
      const tried = yield* this.once(candidate, slice, fromStart);
      done.push(tried);
      if (isOver(tried)) return;
      // Counts as an event: an execution may have none.
      if (slice.isOverAfterEvent()) yield undefined;
    }
  }

  private *once(candidate: CandidateSchedule, slice: TimeSlice, fromStart: boolean): Steps<Tried> {
    const trial = this.begin(candidate, fromStart ? this.fromStart(candidate) : this.startOf(candidate));
    const verdict = yield* judging(trial, this.options, candidate.events.length, { slice });
    const closing = trial.session.close();
    if (closing !== undefined) yield new Rest(closing);
    return this.ended(trial, verdict);
  }

  private begin(candidate: CandidateSchedule, start: TrialStart): Trial {
    const trial = { ...start, candidate, before: start.session.world.length };
    this.trial = trial;
    return trial;
  }

  /** An execution that the clock ended is executed again, by itself. Another error may be a verdict. */
  private async afterError(error: unknown, candidate: CandidateSchedule): Promise<Tried> {
    const { trial } = this;
    const isEnded = error instanceof TimedOut;
    if (trial === undefined && !isEnded) throw error;
    try {
      if (trial === undefined || isEnded) return await this.executeCarefully(candidate);
      return this.ended(trial, verdictOfError(error, trial.session));
    } finally {
      this.trial = undefined;
      await trial?.session.close();
    }
  }

  private async executeCarefully(candidate: CandidateSchedule): Promise<Tried> {
    const opened: Trial[] = [];
    const attempt = (): Steps<Verdict> => {
      const trial = this.begin(candidate, this.fromStart(candidate));
      opened.push(trial);
      return judging(trial, this.options, candidate.events.length, { isCareful: true });
    };
    const last = (): Trial => opened.at(-1) as Trial;
    try {
      const verdict = await carefully(attempt, this.options.handlerMs).catch((error: unknown) => {
        if (opened.length === 0) throw error;
        return verdictOfError(error, last().session);
      });
      return this.ended(last(), verdict);
    } finally {
      for (const { session } of opened) await session.close();
    }
  }

  private ended({ session, strategy, candidate, before }: Trial, verdict: Verdict | undefined): Tried {
    this.trial = undefined;
    const { ambiguities } = strategy;
    const events = session.world.length - before;
    const nothing = { violated: undefined, isUnknown: isUndecided(verdict), ambiguities, events };
    if (verdict?.kind !== 'violated') return nothing;
    if (candidate.mayDiverge === false && this.observed?.divergeIn(session) === true) return nothing;
    return {
      ...nothing,
      violated: { failing: failingIn(session, verdict), isSame: this.options.isSame(verdict, candidate.renaming) },
    };
  }

  private fromStart(candidate: CandidateSchedule): TrialStart {
    const { target, seed } = this.options;
    return { session: target.open(seed), strategy: new LenientReplay(candidate.events, this.replayOptions(candidate)) };
  }

  /** The session at which a candidate begins to differ from earlier executions, and the replay from there on. */
  private startOf(candidate: CandidateSchedule): TrialStart {
    const { events, choices } = candidate;
    const options = this.replayOptions(candidate);
    if (choices === undefined || this.checkpoints === undefined) {
      const session = this.upTo(events);
      if (session === undefined) return this.fromStart(candidate);
      return { session, strategy: new LenientReplay(events, options, session.world.length) };
    }
    const branches = this.branchesOf(candidate);
    const onChoice = branches.watch(choices);
    const branch = branches.toward(choices);
    const session = branch?.session ?? this.upTo(events) ?? this.options.target.open(this.options.seed);
    const { at, ambiguities } = branch ?? { at: session.world.length, ambiguities: [] };
    return { session, strategy: new LenientReplay(events, { ...options, onChoice }, at, ambiguities) };
  }

  private replayOptions({ events, likeness, absent, choices, targets }: CandidateSchedule): LenientReplayOptions {
    const standard = likeness === 'content' ? 'skip' : 'repair';
    // The number must not depend on whether these events are executed or a session has them already.
    const settled = choices === undefined ? 0 : sharedBy(this.base, events);
    return { matcher: this.matcher, likeness, choices, settled, targets, absent: absent ?? standard };
  }

  private upTo(events: readonly Event[]): Session | undefined {
    return this.checkpoints?.upTo(sharedBy(this.base, events));
  }

  /** Sessions of the previous candidate are dropped: the choices of one candidate are tried in sequence. */
  private branchesOf({ choices: _choices, ...candidate }: CandidateSchedule): Branches {
    const key = keyOf(candidate);
    if (this.branches?.candidate !== key) this.branches = new Branches(key);
    return this.branches;
  }
}

/** The execution up to the violation. */
function failingIn(session: Session, violation: Violated): PlainFailing {
  const events = failingEvents(session, violation);
  return { events, violation, targets: targetsIn(session, events), lostToCuts: lostToCutsIn(session, events) };
}

/** The number of events that both have in common at the start. */
function sharedBy(base: readonly Event[], events: readonly Event[]): number {
  const length = Math.min(base.length, events.length);
  let shared = 0;
  while (shared < length && sameDigest(base[shared] as Event, events[shared] as Event)) shared += 1;
  // An action stays together with the events that it brings about.
  while (shared < base.length && isConsequence(base[shared] as Event, base)) shared -= 1;
  return shared;
}
