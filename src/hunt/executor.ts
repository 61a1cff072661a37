import { CoverageSampler, nameOf, type Marks, type CoverageSample } from '../coverage/coverage-sample.ts';
import { trustedStrategy, type StrategyOptions } from '../schedule/strategies.ts';
import { TimedOut } from '../kernel/user-code/time-limit.ts';
import { carefully, driveInTurns } from '../kernel/drive.ts';
import {
  TimeSlice,
  execution,
  hung,
  hungOutside,
  Rest,
  type HandOver,
  type PausedExecution,
  type Steps,
} from '../kernel/loop.ts';
import { GivenUp } from '../kernel/user-code/overdue.ts';
import type { Oracle, Session, Strategy, Target } from '../kernel/ports.ts';
import type { Weights } from '../kernel/options/weights.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import { targetOf } from '../hosts/target.ts';
import type { Verdict, Violated } from '../trace/verdict.ts';

/** The settings of every execution of a search. Plain data: all workers get the same. */
export interface ExecutionConfig {
  /** Names of strategies, which take turns. */
  readonly strategies: readonly string[];
  readonly weights: Weights;
  /** The expected number of events of an execution. */
  readonly steps: number;
  readonly eventsMax: number;
  readonly handlerMs: number;
}

/** Consecutive seeds. */
export interface Range {
  readonly first: number;
  readonly count: number;
}

/** The result of a range of seeds, or of its beginning if the range stopped early. Plain data. */
export interface RangeSummary {
  readonly first: number;
  readonly executions: number;
  readonly events: number;
  readonly unknown: number;
  /** The reason of the first unknown verdict. */
  readonly whyUnknown: string | undefined;
  readonly seen: CoverageSample;
  /** The violation that ended the range: one that this thread had not met before. */
  readonly violated: Violated | undefined;
}

/** A summary with the parts that exist in the executing thread only. */
export interface Executed {
  readonly summary: RangeSummary;
  /** The last execution. */
  readonly session?: Session | undefined;
  /** Whether the clock ended the last execution, so that its verdict is unknown. */
  readonly isStalled?: boolean;
  /** The error of the execution after the last one, and the session in which it was thrown. */
  readonly thrown?: { readonly error: unknown; readonly session: Session | undefined };
}

export interface KnownSoFar {
  /** The marks to look for. */
  readonly marks: Marks;
  /** Fingerprints of violations that are known. */
  readonly known: ReadonlySet<string>;
  /** Whether to stop. Called before every execution. */
  readonly isOver?: () => boolean;
  /** Whether to abandon the current execution. Called during executions. */
  readonly isOverdue?: () => boolean;
}

/** Asked between two events of a seed, whose workload starts so many processes first: see `HandOver`. */
type HandOverSeed = (seed: number, paused: PausedExecution, startsFirst: number) => ReturnType<HandOver>;

/** Every nth seed is executed with all data examined for parts that copies would lose. */
const EXAMINED = 16;

/** Executes seeds one after another. Every worker has one executor. */
export class Executor {
  private readonly strategies: ReadonlyMap<string, (options: StrategyOptions) => Strategy>;
  private readonly oracle: Oracle;
  private readonly target: Target;

  constructor(
    private readonly system: ResolvedSystem,
    private readonly config: ExecutionConfig,
    private readonly handOver?: HandOverSeed,
  ) {
    this.strategies = new Map(config.strategies.map((name) => [name, trustedStrategy(name)]));
    this.oracle = oracleOf(system);
    this.target = targetOf(system);
  }

  /** The seed decides, so that a seed means the same execution in any thread and wherever the hunt began. */
  strategyOf(seed: number): string {
    return this.config.strategies[seed % this.config.strategies.length] as string;
  }

  /** Stops early at a new violation, after a handler that hung, before an execution that throws, and when `isOver` says so. */
  async execute(range: Range, knownSoFar: KnownSoFar): Promise<Executed> {
    const tally = new RangeTally(range.first, knownSoFar.marks);
    try {
      const violated = await this.retryingTimeouts(range, tally, knownSoFar);
      return { summary: tally.summary(violated), session: tally.session };
    } catch (error) {
      if (error instanceof GivenUp) return { summary: tally.summary(), isStalled: true };
      if (!(error instanceof TimedOut)) return { summary: tally.summary(), thrown: { error, session: tally.session } };
      return this.ended(error, tally, knownSoFar);
    }
  }

  /** An execution that the clock ends is executed again by itself, and is the last of the range. */
  private async retryingTimeouts(
    range: Range,
    tally: RangeTally,
    knownSoFar: KnownSoFar,
  ): Promise<Violated | undefined> {
    const { handlerMs } = this.config;
    try {
      return await driveInTurns(this.untilNewViolation(range, tally, knownSoFar), handlerMs, knownSoFar.isOverdue);
    } catch (error) {
      if (!(error instanceof TimedOut)) throw error;
      const seed = range.first + tally.executions;
      const violated = await carefully(() => this.once(seed, tally, undefined, true), handlerMs);
      return violated !== undefined && knownSoFar.known.has(violated.fingerprint) ? undefined : violated;
    }
  }

  /** A handler that does not return is a violation too. The state that it left depends on the speed of the machine. */
  private ended(error: TimedOut, tally: RangeTally, { known }: KnownSoFar): Executed {
    const { session } = tally;
    try {
      const verdict = tally.inProgress && session !== undefined ? hung(error, session) : hungOutside(error, 0);
      tally.end(verdict);
      const newViolation = verdict.kind === 'violated' && !known.has(verdict.fingerprint) ? verdict : undefined;
      return { summary: tally.summary(newViolation), session, isStalled: verdict.kind === 'unknown' };
    } catch (hangs) {
      return { summary: tally.summary(), thrown: { error: hangs, session } };
    }
  }

  private *untilNewViolation(
    range: Range,
    tally: RangeTally,
    { known, isOver }: KnownSoFar,
  ): Steps<Violated | undefined> {
    const slice = new TimeSlice();
    for (let seed = range.first; seed < range.first + range.count && isOver?.() !== true; seed++) {
      const violated = yield* this.once(seed, tally, slice);
      if (violated !== undefined && !known.has(violated.fingerprint)) return violated;
      // Counts as an event: an execution may have none.
      if (slice.isOverAfterEvent()) yield undefined;
    }
    return undefined;
  }

  private *once(
    seed: number,
    tally: RangeTally,
    slice = new TimeSlice(),
    isCareful = false,
  ): Steps<Violated | undefined> {
    tally.inProgress = false;
    const { weights, steps, eventsMax } = this.config;
    const { fairRounds } = this.oracle;
    const plan = this.system.plan(seed);
    const fair = fairRounds === undefined ? undefined : { rounds: fairRounds, eventsMax };
    const options = { seed, plan, steps, weights, fair };
    const strategy = this.strategies.get(this.strategyOf(seed)) as (options: StrategyOptions) => Strategy;
    const session = this.target.open(seed, seed % EXAMINED !== 0);
    tally.begin(session);
    const { observe } = tally.lookout;
    const { handOver } = this;
    const { verdict } = yield* execution(session, {
      strategy: strategy(options),
      oracle: this.oracle,
      eventsMax,
      isCareful,
      slice,
      observe,
      handOver: handOver && ((paused) => handOver(seed, paused, plan.startsFirst)),
    });
    // Examining every event takes longer than most handlers do. A flaw that stays in a state is found at the end, too.
    const name = nameOf(session);
    if (!tally.lookout.isFamiliar(session, name)) session.examineStates();
    tally.add(session, name, verdict);
    const closing = session.close();
    if (closing !== undefined) yield new Rest(closing);
    return verdict.kind === 'violated' ? verdict : undefined;
  }
}

/** A summary that is being made. */
class RangeTally {
  readonly lookout: CoverageSampler;
  /** The last execution that was begun, and whether it is unfinished. */
  session: Session | undefined;
  inProgress = false;
  executions = 0;
  private events = 0;
  private unknown = 0;
  private whyUnknown: string | undefined;

  constructor(
    private readonly first: number,
    marks: Marks,
  ) {
    this.lookout = new CoverageSampler(marks);
  }

  begin(session: Session): void {
    this.session = session;
    this.inProgress = true;
  }

  add(session: Session, name: number, verdict: Verdict): void {
    this.events += session.world.length;
    this.end(verdict);
    this.lookout.add(session, name);
  }

  /** Of an execution that the clock ended, only the verdict is certain. */
  end(verdict: Verdict): void {
    this.inProgress = false;
    this.executions += 1;
    if (verdict.kind !== 'unknown') return;
    this.unknown += 1;
    this.whyUnknown ??= verdict.why;
  }

  summary(violated?: Violated): RangeSummary {
    const { first, executions, events, unknown, whyUnknown, lookout } = this;
    return { first, executions, events, unknown, whyUnknown, seen: lookout.seen, violated };
  }
}

/** The rest of a range after this number of executions. */
export const restOf = ({ first, count }: Range, executions: number): Range => ({
  first: first + executions,
  count: count - executions,
});
