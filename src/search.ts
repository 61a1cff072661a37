import { breather, driveInTurns, execution, HANDLER_MS, hung, type Outcome, type Steps } from './kernel/loop.ts';
import type { Oracle, Session, Target } from './kernel/ports.ts';
import { Coverage, type CoverageReport } from './explore/coverage.ts';
import type { Weights } from './explore/random.ts';
import { ReplayDiverged } from './explore/replay.ts';
import { strategyCalled, type StrategyOptions } from './explore/strategies.ts';
import { diagnosed } from './not-deterministic.ts';
import { checkAmount, checkCount, checkWeights } from './options.ts';
import { oracleOf, record, type Origin } from './record.ts';
import { reproduce } from './replay.ts';
import { resolveSystem, type ResolvedSystem } from './targets/actors/resolve.ts';
import type { Parameter, System } from './targets/actors/system.ts';
import { actors } from './targets/actors/target.ts';
import type { Trace } from './trace/format.ts';
import type { Violated } from './trace/verdict.ts';

export interface SearchOptions {
  /** The second execution's seed, after a first one of seed 0; each further execution takes the next number. */
  readonly seed?: number;
  /** How many executions to try. */
  readonly executions?: number;
  /** How many seconds to try for. */
  readonly seconds?: number;
  /** How many different violations to look for. */
  readonly violations?: number;
  /** How many events an execution may have. */
  readonly eventsMax?: number;
  /** Names of strategies, such as `random,pos,pct:3`; executions take turns. */
  readonly strategy?: string;
  /** How likely the random strategy chooses an event of each kind; 1 where nothing is said, 0.25 for timers. */
  readonly weights?: Weights;
  /** How long a handler may run before it is taken to hang. */
  readonly handlerMs?: number;
  /** Values for the system's parameters. */
  readonly set?: Readonly<Record<string, Parameter>>;
  /** Ends it early: what was found until then is reported. */
  readonly signal?: AbortSignal;
  /** Told now and then how it is getting on. */
  readonly onProgress?: (progress: SearchProgress) => void;
  /** The file that exports the system, from the folder of its package: a trace needs it to be replayed from the file alone. */
  readonly module?: string;
}

/** How a search is getting on. */
export interface SearchProgress {
  readonly executions: number;
  readonly executionsMax: number;
  readonly secondsMax: number;
  readonly events: number;
  /** Executions that differ in more than the order of independent events. */
  readonly distinct: number;
  readonly elapsedMs: number;
}

/** How often that is told. */
const PROGRESS_MS = 200;

/** A violation, and what found it. */
export interface Finding {
  readonly trace: Trace;
  readonly strategy: string;
  /** How many executions it took. */
  readonly executions: number;
}

export interface SearchReport {
  /** Violations of different fingerprints, in the order they were found. */
  readonly findings: readonly Finding[];
  readonly executions: number;
  /** Executions of which an oracle could not say whether they hold. */
  readonly unknown: number;
  readonly events: number;
  /** Where to begin in order to go on. */
  readonly nextSeed: number;
  /** Whether it tested anything. */
  readonly coverage: CoverageReport;
}

/** Found to do well together: each finds bugs that the others take long for. */
export const defaultStrategy = 'random,pos,pct';

const defaults = {
  seed: 1,
  executions: 10_000,
  seconds: Number.POSITIVE_INFINITY,
  violations: 1,
  eventsMax: 1_000,
  strategy: defaultStrategy,
  handlerMs: HANDLER_MS,
};

/** Looks for executions that violate an oracle: one seed after the other, the strategies in turn. */
export async function search(system: System, options: SearchOptions = {}): Promise<SearchReport> {
  const resolved = resolveSystem(system, options.set);
  const bounds = { ...defaults, ...options };
  for (const name of ['executions', 'violations', 'eventsMax', 'handlerMs'] as const) checkCount(name, bounds[name], 1);
  checkCount('seed', bounds.seed, 0);
  checkAmount('seconds', bounds.seconds);
  if (options.weights !== undefined) checkWeights(options.weights);
  const searching = new Search(resolved, bounds);
  return searching.run().catch((error: unknown) => searching.fail(error));
}

type Bounds = typeof defaults & SearchOptions;

class Search {
  private readonly names: readonly string[];
  private readonly target: Target;
  private readonly findings: Finding[] = [];
  private readonly coverage: Coverage;
  private readonly beganMs = performance.now();
  private toldMs = performance.now();
  private readonly oracle: Oracle;
  private readonly strategies: ReadonlyMap<string, ReturnType<typeof strategyCalled>>;
  /** The execution under way, or the last one, and how it is made. */
  private session: Session | undefined;
  private origin: Origin | undefined;
  private executions = 0;
  private unknown = 0;
  private events = 0;

  constructor(
    private readonly system: ResolvedSystem,
    private readonly bounds: Bounds,
  ) {
    this.names = bounds.strategy.split(',').map((name) => name.trim());
    this.strategies = new Map(['random', ...this.names].map((name) => [name, strategyCalled(name)]));
    this.oracle = oracleOf(system);
    this.target = actors(system);
    this.coverage = new Coverage(system.sometimes);
  }

  async run(): Promise<SearchReport> {
    const deadlineMs = this.beganMs + this.bounds.seconds * 1000;
    const steps = await this.probe();
    while (this.findings.length < this.bounds.violations && this.executions < this.bounds.executions) {
      const violated = await this.guarded(this.untilViolated(steps, deadlineMs));
      if (violated === undefined) break;
      await this.keep(violated, this.seed, this.strategyName);
    }
    const { findings, executions, unknown, events } = this;
    return { findings, executions, unknown, events, nextSeed: this.seed + 1, coverage: this.coverage.report() };
  }

  /** Fails with the error, or with one that names what leaked into the execution. */
  async fail(error: unknown): Promise<never> {
    if (this.session === undefined || this.origin === undefined) throw error;
    throw await diagnosed(error, this.origin, this.session.recording.events.since(0));
  }

  /**
   * The first execution is of seed 0, whatever the hunt begins with: it is executed three times in all to see that the
   * system is deterministic, and tells how long executions are.
   */
  private async probe(): Promise<number> {
    this.executions += 1;
    const violated = await this.guarded(this.once(0, 'random', this.bounds.eventsMax));
    const session = this.session as Session;
    if (violated !== undefined) await this.keep(violated, 0, 'random');
    else await this.reproduced(this.originOf(0, 'random'), session);
    return session.world.length;
  }

  private *untilViolated(steps: number, deadlineMs: number): Steps<Violated | undefined> {
    const rest = breather();
    const { executions, signal } = this.bounds;
    while (this.executions < executions && performance.now() < deadlineMs && signal?.aborted !== true) {
      this.executions += 1;
      const violated = yield* this.once(this.seed, this.strategyName, steps);
      if (violated !== undefined && this.isNew(violated)) return violated;
      this.tell();
      yield* rest();
    }
    return undefined;
  }

  private tell(): void {
    const nowMs = performance.now();
    if (nowMs - this.toldMs < PROGRESS_MS) return;
    this.toldMs = nowMs;
    const { executions, events, bounds } = this;
    const limits = { executionsMax: bounds.executions, secondsMax: bounds.seconds };
    bounds.onProgress?.({
      executions,
      events,
      distinct: this.coverage.distinct,
      elapsedMs: nowMs - this.beganMs,
      ...limits,
    });
  }

  private *once(seed: number, strategy: string, steps: number): Steps<Violated | undefined> {
    this.session = this.target.open(seed);
    this.origin = this.originOf(seed, strategy);
    const { verdict } = yield* this.execute(
      this.session,
      { seed, plan: this.system.plan(seed), steps, ...this.weights, ...this.fair },
      strategy,
    );
    this.events += this.session.world.length;
    this.coverage.add(this.session);
    if (verdict.kind === 'unknown') this.unknown += 1;
    this.session.close();
    return verdict.kind === 'violated' ? verdict : undefined;
  }

  private execute(session: Session, options: StrategyOptions, strategy: string): Steps<Outcome> {
    const { observe } = this.coverage;
    return execution(session, {
      strategy: (this.strategies.get(strategy) as ReturnType<typeof strategyCalled>)(options),
      oracle: this.oracle,
      eventsMax: this.bounds.eventsMax,
      ...(observe === undefined ? {} : { observe }),
    });
  }

  /** A handler that does not return is a violation too. */
  private async guarded(steps: Steps<Violated | undefined>): Promise<Violated | undefined> {
    try {
      return await driveInTurns(steps, this.bounds.handlerMs);
    } catch (error) {
      if (this.session === undefined) throw error;
      return hung(error, this.session);
    }
  }

  private async keep(found: Violated, seed: number, strategy: string): Promise<void> {
    const trace = await this.reproduced(this.originOf(seed, strategy), this.session as Session, found);
    this.findings.push({ trace, strategy, executions: this.executions });
  }

  /** Executes it again to write it down, and once more to see that it always comes out the same. */
  private async reproduced(origin: Origin, session: Session, found?: Violated): Promise<Trace> {
    const trace = await record(origin, session.recording.events.since(0).slice(0, found?.events));
    if (
      found !== undefined &&
      (trace.verdict.verdict !== 'violated' || trace.verdict.fingerprint !== found.fingerprint)
    ) {
      const what = `seed ${origin.seed} violated ${found.oracle} (${found.message}), but executed again it did not.`;
      throw new ReplayDiverged(trace.events.length, what);
    }
    return reproduce(origin, trace);
  }

  private originOf(seed: number, strategy: string): Origin {
    const { module, eventsMax, handlerMs } = this.bounds;
    return { system: this.system, module, seed, strategy, eventsMax, handlerMs };
  }

  private isNew({ fingerprint }: Violated): boolean {
    return this.findings.every(
      ({ trace: { verdict } }) => verdict.verdict !== 'violated' || verdict.fingerprint !== fingerprint,
    );
  }

  /** Of the execution under way; the probe came before the first. */
  private get seed(): number {
    return this.bounds.seed + this.executions - 2;
  }

  /** By the seed, so that a seed means the same execution wherever the hunt began. */
  private get strategyName(): string {
    return this.names[this.seed % this.names.length] as string;
  }

  private get fair(): Pick<StrategyOptions, 'fair'> {
    const { fairRounds } = this.oracle;
    return fairRounds === undefined ? {} : { fair: { rounds: fairRounds, eventsMax: this.bounds.eventsMax } };
  }

  private get weights(): { weights?: Weights } {
    return this.bounds.weights === undefined ? {} : { weights: this.bounds.weights };
  }
}
