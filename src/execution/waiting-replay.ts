import type { WaitingSettings } from '../kernel/declaration.ts';
import type { Strategy } from '../kernel/ports.ts';
import { awaitedIn, type FindAwaited } from '../schedule/replay/awaited.ts';
import { Epsilon } from '../schedule/replay/epsilon.ts';
import { LenientReplay, unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { Matcher } from '../schedule/replay/match.ts';
import { Passing, type PassingSetting } from '../schedule/replay/passing.ts';
import { TooLate } from '../schedule/replay/too-late.ts';
import type { WaitingOptions } from '../schedule/replay/waiting-options.ts';
import { WaitingReport, type PlainWaitingReport } from '../schedule/replay/waiting-report.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import type { Undelivered } from '../trace/undelivered.ts';
import { KnownAbsences } from './known-absences.ts';
import { Peek } from './peek.ts';
import { writeDown, type Origin } from './record.ts';

/** The result of a replay, and what is to be said of its waiting. */
export interface WaitedReplay<T> {
  readonly result: T;
  readonly report: WaitingReport;
}

/** How replays have waited so far. */
export interface WaitingCounts {
  readonly replays: number;
  /** How often a replay started over because an external came too late. */
  readonly restarts: number;
  /** The number of replays in which an external came too late all the same. */
  readonly early: number;
  /** How much longer than in the recording the next replay awaits an event. */
  readonly epsilonMs: number;
  /** The number of prefixes that were replayed to see which events appear. */
  readonly peeks: number;
  /** The number of expected events that then appeared more often than recorded. */
  readonly ambiguous: number;
}

/** Whether the messages of a rule passed in replays; and how often the violation did not happen with the other setting, if that was tried. */
export interface PassingReport extends PassingSetting {
  readonly otherInVain?: number;
}

/** What a replay in another thread has to know: plain data. */
export interface WaitingKnowledge {
  readonly epsilonMs: number;
  /** Indices of events of the schedule that did not appear so far. */
  readonly absent: ReadonlySet<number>;
  /** What appeared in the recording and never happened. */
  readonly undelivered: readonly Undelivered[];
  /** Settings of rules that depend on the whole recording, instead of those that follow from it: see `PassingRule`. */
  readonly otherRules: Readonly<Record<string, boolean>>;
  /** Instead of what the system says about new events: a control execution must be free to continue. */
  readonly unexpected?: 'pass' | undefined;
}

/** What was learned in another thread: plain data. */
export interface WaitedElsewhere {
  readonly report: PlainWaitingReport;
  readonly peeks: number;
  readonly ambiguous: number;
}

/**
 * The replays of one command, where events appear by themselves. They learn from one another how late events come, and which
 * events of a schedule do not appear.
 */
export class WaitingReplays {
  private readonly epsilon: Epsilon;
  private readonly awaited: FindAwaited;
  private absences = new KnownAbsences();
  private readonly peek: Peek;
  /** The part of each schedule that appears, as far as it was looked for. */
  private readonly inferred = new WeakMap<readonly Event[], readonly Event[]>();
  private readonly undelivered = new WeakMap<readonly Event[], readonly Undelivered[]>();
  private readonly matcher: Matcher;
  private otherRules: Readonly<Record<string, boolean>> = {};
  private otherInVain: number | undefined;
  private replays = 0;
  private restarts = 0;
  private early = 0;
  /** Those of other threads. */
  private readonly elsewhere = { peeks: 0, ambiguous: 0 };

  constructor(
    private readonly system: ResolvedSystem,
    private readonly settings: WaitingSettings,
    origin: Origin,
  ) {
    this.epsilon = new Epsilon(settings);
    this.awaited = awaitedIn(() => system.plan(origin.seed).items, system.pace?.quietMs ?? 0);
    this.matcher = Matcher.ofLive(system.hints.contentOf);
    this.peek = new Peek(origin, settings, async (prefix, changes, execute) => {
      const { result } = await this.follow(prefix, { ...this.optionsFor(prefix, prefix), ...changes }, execute);
      return result;
    });
  }

  /** Undefined where nothing happens by itself. */
  static of(origin: Origin): WaitingReplays | undefined {
    const { system } = origin;
    return system.waiting && new WaitingReplays(system, system.waiting, origin);
  }

  get counts(): WaitingCounts {
    const { replays, restarts, early, epsilon, peek, elsewhere } = this;
    const peeks = peek.prefixes + elsewhere.peeks;
    const ambiguous = peek.ambiguous + elsewhere.ambiguous;
    return { replays, restarts, early, epsilonMs: Math.round(epsilon.ms), peeks, ambiguous };
  }

  /** Says what appeared in a recording and never happened: in replays of it, that is not new. */
  knows(recording: readonly Event[], undelivered: readonly Undelivered[]): void {
    this.undelivered.set(recording, undelivered);
  }

  /** What the next replay of a schedule has to know, if it happens in another thread. */
  knownOf(schedule: readonly Event[], recording: readonly Event[], unexpected?: 'pass'): WaitingKnowledge {
    const undelivered = this.undelivered.get(recording) ?? [];
    const { epsilon, otherRules } = this;
    return { epsilonMs: epsilon.ms, absent: this.absences.of(schedule), undelivered, otherRules, unexpected };
  }

  /** Which messages pass in replays of a recording, by the rules that depend on all of it. */
  passingIn(recording: readonly Event[]): readonly PassingReport[] {
    const { otherInVain, otherRules } = this;
    const { settings } = this.passingOf(recording, this.undelivered.get(recording) ?? [], otherRules);
    return otherInVain === undefined ? settings : settings.map((setting) => ({ ...setting, otherInVain }));
  }

  /**
   * The violation did not happen in so many replays: from now on they have the other setting of these rules. False if that was tried
   * before, or the recording has no message that they are about.
   */
  useOtherRules(recording: readonly Event[], inVain: number): boolean {
    const settings = this.passingIn(recording);
    if (this.otherInVain !== undefined || settings.length === 0) return false;
    this.otherRules = Object.fromEntries(settings.map(({ rule, passes }) => [rule, !passes]));
    this.otherInVain = inVain;
    // What did not appear under the first setting may appear now.
    this.absences = new KnownAbsences();
    return true;
  }

  private passingOf(
    recording: readonly Event[],
    undelivered: readonly Undelivered[],
    given: WaitingKnowledge['otherRules'],
  ): Passing {
    const { declaration, pace } = this.system;
    const { passing: rules = [] } = declaration;
    return new Passing({ rules, recording, undelivered, roundMs: pace?.roundMs ?? 0, matcher: this.matcher, given });
  }

  /** A replay in another thread is over. */
  learn(schedule: readonly Event[], { report: plain, peeks, ambiguous }: WaitedElsewhere): WaitingReport {
    const report = WaitingReport.from(plain);
    this.epsilon.learn(report.lateness);
    // With peek, the replay followed another schedule.
    if (this.settings.peek === 'none') this.absences.learn(schedule, report);
    this.replays += 1;
    this.restarts += report.restarts;
    if (report.isEarly) this.early += 1;
    this.elsewhere.peeks += peeks;
    this.elsewhere.ambiguous += ambiguous;
    return report;
  }

  /** Replays a part of a recording: all of it, or what still appears of it. */
  async replay<T>(
    schedule: readonly Event[],
    recording: readonly Event[],
    execute: (schedule: readonly Event[], waiting: WaitingOptions) => Promise<T>,
    known?: WaitingKnowledge,
  ): Promise<WaitedReplay<T>> {
    const undelivered = known?.undelivered ?? this.undelivered.get(recording) ?? [];
    const passing = this.passingOf(recording, undelivered, known?.otherRules ?? this.otherRules);
    const isPeeked = this.settings.peek === 'replay' && schedule.length < recording.length;
    const events = isPeeked ? await this.appearingOf(schedule, recording, passing) : schedule;
    const options = { ...this.optionsFor(events, recording), passing, ...this.given(known, events === schedule) };
    const waited = await this.follow(events, options, (waiting) => execute(events, waiting));
    this.replays += 1;
    if (waited.report.isEarly) this.early += 1;
    return waited;
  }

  /** What another thread knows of the events of this very schedule. */
  private given(known: WaitingKnowledge | undefined, isSame: boolean): Partial<WaitingOptions> {
    if (known === undefined) return {};
    const { epsilonMs, absent, undelivered, unexpected } = known;
    return {
      epsilonMs,
      undelivered,
      ...(isSame ? { absent } : {}),
      ...(unexpected === undefined ? {} : { unexpected, isControl: true }),
    };
  }

  private async appearingOf(
    schedule: readonly Event[],
    recording: readonly Event[],
    passing: Passing,
  ): Promise<readonly Event[]> {
    const known = this.inferred.get(schedule) ?? (await this.peek.inferred(schedule, recording, passing));
    this.inferred.set(schedule, known);
    return known;
  }

  /** Replays a schedule: again when an external came too late, with what did not appear so far. */
  private async follow<T>(
    schedule: readonly Event[],
    options: WaitingOptions,
    execute: (waiting: WaitingOptions) => Promise<T>,
  ): Promise<WaitedReplay<T>> {
    let report = new WaitingReport();
    const onBegin = (begun: WaitingReport): void => void (report = begun);
    for (let waiting: WaitingOptions = { ...options, onBegin }; ;) {
      try {
        const result = await execute(waiting);
        report.restarts = options.restarts - waiting.restarts;
        this.epsilon.learn(report.lateness);
        this.absences.learn(schedule, report);
        return { result, report };
      } catch (error) {
        if (!(error instanceof TooLate)) throw error;
        this.restarts += 1;
        waiting = { ...waiting, absent: error.absent, restarts: waiting.restarts - 1 };
      }
    }
  }

  private optionsFor(schedule: readonly Event[], recording: readonly Event[]): WaitingOptions {
    const { declaration, pace } = this.system;
    const { unexpected, restarts } = this.settings;
    return {
      epsilonMs: this.epsilon.ms,
      unexpected,
      restarts,
      end: { quietMs: pace?.quietMs ?? 0 },
      untilMs: (pace?.executionMs ?? 0) + (recording.at(-1)?.atMs ?? 0),
      recording,
      undelivered: this.undelivered.get(recording) ?? [],
      fingerprint: declaration.fingerprint ?? wholeMessage,
      isControlled: (process) => declaration.processes.get(process)?.host?.controlled !== false,
      awaited: this.awaited,
      absent: this.absences.of(schedule),
    };
  }
}

const wholeMessage = (message: unknown): unknown => message;

/** Replays a part of a recording with waiting, and records what happens. */
export async function recordWaiting(
  replays: WaitingReplays,
  origin: Origin,
  schedule: readonly Event[],
  recording = schedule,
  known?: WaitingKnowledge,
): Promise<WaitedReplay<Trace>> {
  const execute = (events: readonly Event[], waiting: WaitingOptions): Promise<Trace> => {
    const matcher = Matcher.ofLive(origin.system.hints.contentOf);
    const targets = unknownTargets(events);
    const options = { matcher, likeness: 'content', absent: 'unblock', choices: undefined, targets, waiting } as const;
    const strategy = (): Strategy => new LenientReplay(events, options);
    return writeDown(origin, strategy, Number.POSITIVE_INFINITY);
  };
  const { result, report } = await replays.replay(schedule, recording, execute, known);
  return { result: withUnexpected(result, new Set(report.unexpected)), report };
}

/** One replay of a part of a recording: plain data, except that the schedule has the very events of the recording. */
export interface ReplayJob {
  readonly schedule: readonly Event[];
  readonly recording: readonly Event[];
  readonly known: WaitingKnowledge;
}

export interface ReplayResult {
  readonly trace: Trace;
  readonly waited: WaitedElsewhere;
}

/** The work of a thread that replays: the origin without its system. */
export interface ReplayWork {
  readonly kind: 'replays';
  readonly origin: Omit<Origin, 'system' | 'isOverdue'>;
}

/** Replays as one thread of several does: what replays learn from one another comes with each job. */
export function replayExecutor(origin: Origin): (job: ReplayJob, isCalledOff: () => boolean) => Promise<ReplayResult> {
  const waits = WaitingReplays.of(origin);
  if (waits === undefined) throw new Error('a system in which nothing happens by itself is replayed exactly');
  return async ({ schedule, recording, known }, isCalledOff) => {
    const before = waits.counts;
    const isOverdue = (): boolean => isCalledOff() || origin.isOverdue?.() === true;
    const replayed = recordWaiting(waits, { ...origin, isOverdue }, schedule, recording, known);
    const { result: trace, report } = await replayed;
    return { trace, waited: waitedSince(before, waits, report) };
  };
}

/** What one replay adds to the counts of its thread. */
export function waitedSince(before: WaitingCounts, waits: WaitingReplays, report: WaitingReport): WaitedElsewhere {
  const { peeks, ambiguous } = waits.counts;
  return { report: report.plain, peeks: peeks - before.peeks, ambiguous: ambiguous - before.ambiguous };
}

/** The trace, in which the events are marked that the recording does not have. */
const withUnexpected = (trace: Trace, unexpected: ReadonlySet<number>): Trace =>
  unexpected.size === 0
    ? trace
    : {
        ...trace,
        events: trace.events.map((line, at) => (unexpected.has(at) ? { ...line, unexpected: true } : line)),
      };
