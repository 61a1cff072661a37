import { Coverage } from '../coverage/coverage.ts';
import { GivenUp, overdue } from '../kernel/user-code/overdue.ts';
import type { System } from '../system/definition.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Trace } from '../trace/format.ts';
import { inOrder } from '../workers/in-order.ts';
import type { SessionRunner } from '../workers/session-runner.ts';
import { startSessions } from '../workers/start-sessions.ts';
import { errorFrom, ThrownElsewhere, type PlainError } from '../workers/thrown-elsewhere.ts';
import type { Bounds } from './options.ts';
import { progressOfLines, type ExecutionProgress } from './execution-progress.ts';
import type { ControlReport, Finding, SearchReport } from './report.ts';
import { SearchEnded } from './search-ended.ts';
import { Stopwatch } from './stopwatch.ts';
import { Takeovers } from './takeover.ts';
import {
  mayHaveFaults,
  seedExecutor,
  type Control,
  type SeedJob,
  type SeedResult,
  type SeedWork,
} from './seed-jobs.ts';

/** Executions without faults, before the others. */
const CONTROLS: readonly Control[] = ['no input', 'no fault', 'no fault'];

/** A hunt ends if so many executions, from the first on, have an unknown verdict: the system does not get ready. */
const UNREADY_MAX = 5;

/**
 * Searches a system in which events appear by themselves. A seed decides the inputs and nothing else, so every execution is
 * recorded as it happens, and none is executed again. Several jobs execute seeds side by side; results count in the order of the
 * seeds, so that the first finding is that of the smallest seed.
 */
export class UncontrolledSearcher {
  private readonly findings: Finding[] = [];
  private readonly fingerprints = new Set<string>();
  private readonly coverage: Coverage;
  private readonly strategies: readonly string[];
  private readonly stopwatch = new Stopwatch();
  private readonly control: Record<'executions' | 'violated' | 'unknown', number> = {
    executions: 0,
    violated: 0,
    unknown: 0,
  };
  private executions = 0;
  private events = 0;
  private unknown = 0;
  private whyUnknown: string | undefined;
  /** Of control executions, which say little where an oracle needs inputs. */
  private whyControlUnknown: string | undefined;
  /** How many executions did not begin because the system did not get ready, and why the first did not. */
  private unready = 0;
  private notReady: PlainError | undefined;
  private abandoned = 0;
  /** The first execution without a violation. */
  private example: Trace | undefined;
  private execution: ExecutionProgress | undefined;
  private nextSeed: number;
  /** The seed whose result is being entered. */
  private seed: number | undefined;

  constructor(
    private readonly given: System,
    private readonly system: ResolvedSystem,
    private readonly bounds: Bounds,
  ) {
    this.strategies = [bounds.strategy].flat();
    this.coverage = new Coverage(system.sometimes);
    this.nextSeed = bounds.seed;
  }

  async run(): Promise<SearchReport> {
    const runner = this.runner();
    const isOverdue = overdue(() => this.isOver());
    const deadline = setInterval(() => isOverdue() && void runner.end(), DEADLINE_LOOK_MS);
    try {
      await this.enterAll(runner);
      return this.report();
    } catch (error) {
      if (error instanceof GivenUp) return this.report();
      throw new SearchEnded(this.report(), this.seed ?? this.nextSeed, error);
    } finally {
      clearInterval(deadline);
      await runner.end();
    }
  }

  private runner(): SessionRunner<SeedJob, SeedResult> {
    const { module, eventsMax, handlerMs, weights = this.system.weights, jobs, takeover } = this.bounds;
    const takeovers = takeover && new Takeovers(takeover, this.stopwatch);
    const config = { module, weights, eventsMax, handlerMs };
    const work: SeedWork = { kind: 'seeds', config };
    const shared = { given: this.given, resolved: this.system, module };
    return startSessions(
      jobs,
      shared,
      () => seedExecutor(this.system, config, (progress) => this.reportProgress(progress), takeovers),
      work,
    );
  }

  private async enterAll(runner: SessionRunner<SeedJob, SeedResult>): Promise<void> {
    const jobs = this.jobs();
    const next = (): SeedJob | undefined => (this.isOver() ? undefined : jobs.next().value);
    const results = inOrder(runner, next, (count) => (this.abandoned += count));
    for await (const { job, result } of results) {
      this.enter(job, result);
      if (this.isDone()) return;
    }
  }

  /** The control executions, then one for each seed. */
  private *jobs(): Generator<SeedJob, undefined> {
    const { seed: first, executions, control: isControlled } = this.bounds;
    const controls = mayHaveFaults(this.system, first) ? CONTROLS : CONTROLS.slice(0, 1);
    for (const control of isControlled ? controls : [])
      yield { seed: first, strategy: this.strategyOf(first), control };
    for (let seed = first; seed < first + executions; seed++)
      yield { seed, strategy: this.strategyOf(seed), control: undefined };
    return undefined;
  }

  private enter(job: SeedJob, { trace, seen, thrown, notReady }: SeedResult): void {
    this.seed = job.seed;
    if (job.control === undefined) {
      this.nextSeed = job.seed + 1;
      this.executions += 1;
      this.coverage.add(seen);
    } else this.control.executions += 1;
    if (notReady !== undefined) this.unready += 1;
    this.notReady ??= notReady;
    const verdict = trace?.verdict;
    if (trace !== undefined) this.events += job.control === undefined ? trace.events.length : 0;
    if (verdict?.verdict === 'unknown') this.countUnknown(job, verdict.why);
    this.keepExample(job, trace);
    this.reportProgress(trace && { ...this.execution, ...progressOfLines(trace.events) });
    if (trace !== undefined && verdict?.verdict === 'violated')
      this.keep(job, { trace, fingerprint: verdict.fingerprint });
    if (thrown !== undefined) throw errorFrom(thrown);
    this.seed = undefined;
  }

  private keepExample({ control }: SeedJob, trace: Trace | undefined): void {
    if (control === undefined && trace?.verdict.verdict === 'holds') this.example ??= trace;
  }

  private countUnknown({ control }: SeedJob, why: string): void {
    if (control === undefined) {
      this.unknown += 1;
      this.whyUnknown ??= why;
    } else {
      this.control.unknown += 1;
      this.whyControlUnknown ??= why;
    }
  }

  private keep({ control, strategy }: SeedJob, found: { trace: Finding['trace']; fingerprint: string }): void {
    if (control !== undefined) this.control.violated += 1;
    if (this.fingerprints.has(found.fingerprint)) return;
    this.fingerprints.add(found.fingerprint);
    const without = control === undefined ? {} : { without: control };
    this.findings.push({ trace: found.trace, strategy, executions: this.executions, ...without });
  }

  private isDone(): boolean {
    if (this.findings.length >= this.bounds.violations) return true;
    const unknown = this.unknown + this.control.unknown;
    return unknown >= UNREADY_MAX && unknown === this.begun;
  }

  /** With the control executions. */
  private get begun(): number {
    return this.executions + this.control.executions;
  }

  private strategyOf(seed: number): string {
    return this.strategies[seed % this.strategies.length] as string;
  }

  private isOver(): boolean {
    const { seconds, signal } = this.bounds;
    return signal?.aborted === true || this.stopwatch.elapsedMs >= seconds * 1000;
  }

  private reportProgress(execution = this.execution): void {
    this.execution = execution;
    const { executions, events, bounds, coverage } = this;
    const marks = this.system.sometimes.size;
    bounds.onProgress?.({
      executions,
      events,
      distinct: coverage.distinct,
      found: this.findings.length,
      marks,
      marksReached: marks - coverage.missed.size,
      elapsedMs: this.stopwatch.elapsedMs,
      executionsMax: bounds.executions,
      secondsMax: bounds.seconds,
      ...(execution === undefined ? {} : { execution }),
    });
  }

  private report(): SearchReport {
    const { findings, executions, unknown, events, nextSeed, abandoned } = this;
    const whyUnknown = this.whyUnknown ?? (executions === 0 ? this.whyControlUnknown : undefined);
    const why = whyUnknown === undefined ? {} : { whyUnknown };
    const never =
      this.notReady !== undefined && this.unready === this.begun
        ? { neverReady: new ThrownElsewhere(this.notReady) }
        : {};
    const control: ControlReport = { ...this.control };
    const coverage = this.coverage.report();
    const shown = this.example === undefined ? {} : { example: this.example };
    return {
      findings,
      executions,
      unknown,
      ...why,
      ...never,
      events,
      nextSeed,
      coverage,
      control,
      abandoned,
      ...shown,
    };
  }
}

/** How often a hunt looks whether its time is up. */
const DEADLINE_LOOK_MS = 50;
