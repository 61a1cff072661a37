import { judgeFor } from '../execution/judge-for-violation.ts';
import { writtenAsItHappened, type Origin } from '../execution/record.ts';
import { judged, type Beginning } from '../execution/run-and-judge.ts';
import { isSameBug } from '../execution/same-bug.ts';
import {
  waitedSince,
  WaitingReplays,
  type WaitedElsewhere,
  type WaitingKnowledge,
} from '../execution/waiting-replay.ts';
import { targetOf } from '../hosts/target.ts';
import type { Outcome } from '../kernel/loop.ts';
import { Observer } from '../kernel/observer.ts';
import type { Session } from '../kernel/ports.ts';
import { LenientReplay } from '../schedule/replay/lenient-replay.ts';
import { Matcher } from '../schedule/replay/match.ts';
import { ScheduleTimes } from '../schedule/replay/schedule-times.ts';
import type { WaitingOptions } from '../schedule/replay/waiting-options.ts';
import type { Event } from '../trace/event.ts';
import type { EventLine, Trace } from '../trace/format.ts';
import type { Undelivered } from '../trace/undelivered.ts';
import { isUndecided, type Violated } from '../trace/verdict.ts';
import type { ExecuteJob } from '../workers/session-runner.ts';
import { failingEvents, lostToCutsIn, targetsIn, undeliveredBy } from './failing.ts';
import type { CandidateSchedule, Failing } from './pass.ts';
import { RecordedPace } from './recorded-pace.ts';

/** The work of a thread that executes candidates of a system whose processes act by themselves. */
export interface TrialWork {
  readonly kind: 'trials';
  /** The origin without its system. */
  readonly origin: Omit<Origin, 'system' | 'isOverdue'>;
  /** The violation that is minimized: the other oracles have no say at the end of an execution. */
  readonly violation: Violated;
}

/** One execution of a candidate: plain data, except that the candidate has the very events of the recording. */
export interface TrialJob {
  /** The number of the execution among those of the candidate. */
  readonly nth: number;
  readonly candidate: Pick<CandidateSchedule, 'events' | 'likeness' | 'targets'> & {
    readonly choices: readonly number[] | undefined;
  };
  /** The execution that the candidate is a part of. */
  readonly recording: readonly Event[];
  readonly known: WaitingKnowledge;
  /** The violation to look for, with the names that the candidate gives to its processes. */
  readonly violation: Violated;
}

/** A failing execution as plain data. */
export interface PlainFailing extends Pick<Failing, 'events' | 'violation' | 'targets' | 'lostToCuts'> {
  /** What appeared in it and did not happen. */
  readonly undelivered: readonly Undelivered[];
  /** As it happened; undefined if the violation existed before the execution ended. */
  readonly trace: Trace | undefined;
}

export interface TrialResult {
  /** The execution if it is violated, and whether the violation is the one that is minimized. */
  readonly violated: { readonly failing: PlainFailing; readonly isSame: boolean } | undefined;
  /** Whether the execution shows nothing. */
  readonly isUnknown: boolean;
  /** Why the verdict is unknown, if it is. */
  readonly whyUnknown: string | undefined;
  readonly ambiguities: readonly number[];
  readonly events: number;
  readonly waited: WaitedElsewhere;
}

/** Executes candidates as one thread of several does: what replays learn from one another comes with each job. */
export function trialExecutor(origin: Origin, minimized: Violated): ExecuteJob<TrialJob, TrialResult> {
  const waits = WaitingReplays.of(origin);
  if (waits === undefined) throw new Error('the candidates of a controlled system need no jobs');
  const matcher = Matcher.ofLive(origin.system.hints.contentOf);
  return async ({ candidate, recording, known, violation }, isCalledOff) => {
    const before = waits.counts;
    const execute = async (events: readonly Event[], waiting: WaitingOptions): Promise<Trial> => {
      const trial = new Trial(origin, minimized, isCalledOff);
      await trial.execute({ ...candidate, events }, matcher, waiting);
      return trial;
    };
    const { result, report } = await waits.replay(candidate.events, recording, execute, known);
    // A minimized execution is a recording of its own: what is new in it is not marked.
    return { ...result.result(violation, report.isEarly), waited: waitedSince(before, waits, report) };
  };
}

/** One execution, recorded as it happens. */
class Trial {
  private readonly opened: Session[] = [];
  private lines: EventLine[] = [];
  private observer = new Observer();
  private outcome: Outcome | undefined;
  private strategy: LenientReplay | undefined;
  private times = new ScheduleTimes([], []);
  private verdict: Awaited<ReturnType<typeof judged<Beginning>>>['verdict'];

  constructor(
    private readonly origin: Origin,
    private readonly minimized: Violated,
    private readonly isCalledOff: () => boolean,
  ) {}

  async execute(candidate: TrialJob['candidate'], matcher: Matcher, waiting: WaitingOptions): Promise<void> {
    const { events, likeness, choices, targets } = candidate;
    this.times = new ScheduleTimes(waiting.recording, events);
    // An event that does not appear in time is skipped, but none waits behind a message that the schedule does not have.
    const options = { matcher, likeness, choices, targets, absent: 'unblock', waiting } as const;
    const begin = (): Beginning & { readonly strategy: LenientReplay } => {
      this.lines = [];
      this.observer = new Observer();
      const session = targetOf(this.origin.system).open(this.origin.seed);
      this.opened.push(session);
      this.strategy = new LenientReplay(events, options);
      return { session, strategy: this.strategy };
    };
    const watch = {
      observe: (session: Session): void => void this.lines.push(...this.observer.observe(session)),
      ended: (outcome: Outcome): void => void (this.outcome = outcome),
      isOverdue: this.isCalledOff,
    };
    try {
      const judge = { ...judgeFor(this.origin, this.minimized), watch };
      // As much as the recording may happen besides: messages pass that the schedule does not have.
      this.verdict = (await judged(begin, judge, Math.max(events.length, waiting.recording.length))).verdict;
    } finally {
      for (const session of this.opened) await session.close();
    }
  }

  result(violation: Violated, isEarly: boolean): Omit<TrialResult, 'waited'> {
    const { verdict, strategy } = this;
    const session = this.opened.at(-1) as Session;
    const whyUnknown = verdict?.kind === 'unknown' ? verdict.why : undefined;
    const violated =
      verdict?.kind === 'violated'
        ? { failing: this.failing(session, verdict), isSame: isSameBug(verdict, violation) }
        : undefined;
    return {
      violated,
      isUnknown: violated === undefined && (isEarly || isUndecided(verdict)),
      whyUnknown,
      ambiguities: strategy?.ambiguities ?? [],
      events: session.world.length,
    };
  }

  private failing(session: Session, { values: _values, ...violation }: Violated): PlainFailing {
    const happened = failingEvents(session, violation);
    const { outcome, strategy } = this;
    const isWhole = outcome !== undefined && happened.length === this.lines.length;
    const pace = new RecordedPace(happened, this.times, strategy?.places ?? new Map());
    const events = happened.map((event) => pace.retimed(event));
    return {
      events,
      violation,
      targets: targetsIn(session, events),
      lostToCuts: lostToCutsIn(session, events),
      undelivered: undeliveredBy(session).map((one) => ({ ...one, event: pace.retimed(one.event) })),
      trace: isWhole ? pace.trace(writtenAsItHappened(this.origin, session, this.lines, outcome)) : undefined,
    };
  }
}
