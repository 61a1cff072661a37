import { setImmediate } from 'node:timers/promises';
import { Coverage } from '../coverage/coverage.ts';
import { trustedStrategy } from '../schedule/strategies.ts';
import { Executor, restOf, type Executed, type Range, type ExecutionConfig } from './executor.ts';
import { Findings } from './findings.ts';
import { comeAgain, reproduced } from '../replay/reproduce-finding.ts';
import { GivenUp, overdue } from '../kernel/user-code/overdue.ts';
import type { Session } from '../kernel/ports.ts';
import { Throttle } from '../kernel/throttle.ts';
import { SeedQueue, SharedHunt, type Pace } from './seed-queue.ts';
import { diagnosed } from '../determinism/not-deterministic.ts';
import type { Origin } from '../execution/record.ts';
import { SearchEnded } from './search-ended.ts';
import type { Bounds } from './options.ts';
import type { SearchReport } from './report.ts';
import { resolveSystem, type ResolvedSystem } from '../system/resolve.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import type { Violated } from '../trace/verdict.ts';
import type { RangeResult } from './worker-jobs.ts';
import { fileForWorkers, WorkerPool } from '../workers/worker-pool.ts';

/** How often progress is told. */
const PROGRESS_MS = 200;

/** How a search goes about it. What it finds does not depend on this. */
export interface Parallelism {
  /** How many threads take part, this one among them. */
  readonly workers: number;
  /** How many executions each claims at a time. */
  readonly pace: Pace;
  /** How long this thread is alone before the others are started. */
  readonly aloneMs: number;
  /** When it waits for them to have loaded the system: before it goes on, before it says that nothing is left, or never. */
  readonly waits: 'first' | 'last' | 'never';
  /** How long that may take. */
  readonly loadMs: number;
}

/**
 * A search under way. A free thread executes the next seeds; the results are added up here, in the order of the
 * seeds, and only this thread decides what a violation or an exception means. So the report is the same for any number
 * of workers, and with one worker it is the same code.
 */
export class Searcher {
  private readonly system: ResolvedSystem;
  private readonly strategies: readonly string[];
  /** Where workers find the system; undefined where there are none. */
  private readonly file: string | undefined;
  private readonly coverage: Coverage;
  private readonly queue: SeedQueue;
  private readonly findings: Findings;
  /** Fingerprints of violations that this thread met ahead of their turn. */
  private readonly metAhead = new Set<string>();
  private readonly beganMs = performance.now();
  private readonly telling = new Throttle(PROGRESS_MS);
  private executions = 0;
  private unknown = 0;
  private whyUnknown: string | undefined;
  private events = 0;
  /** The seed that is being looked into, and its execution. */
  private seed: number | undefined;
  private suspect: { readonly origin: Origin; readonly session: Session } | undefined;
  private workers: WorkerPool<Range, RangeResult> | undefined;

  constructor(
    private readonly given: System,
    private readonly bounds: Bounds,
    private readonly parallelism: Parallelism,
  ) {
    this.system = resolveSystem(given, bounds.set);
    this.strategies = bounds.strategy.split(',').map((name) => name.trim());
    for (const name of this.strategies) trustedStrategy(name);
    this.file = parallelism.workers === 1 ? undefined : fileForWorkers(given, bounds.module);
    this.coverage = new Coverage(this.system.sometimes);
    this.findings = new Findings(bounds.nondeterministic ? comeAgain : reproduced);
    // The probe has executed seed 0.
    this.queue = new SeedQueue(Math.max(bounds.seed, 1), bounds.seed + bounds.executions);
  }

  /** A single execution may take longer than the whole search may. */
  private readonly isOverdue = overdue(() => this.isOver());

  async run(): Promise<SearchReport> {
    try {
      const probe = await this.probe();
      await this.hunt(this.config(probe.steps), probe.trace);
      return this.report();
    } catch (error) {
      if (error instanceof GivenUp) return this.report();
      throw new SearchEnded(this.report(), this.seed, await this.diagnosed(error));
    } finally {
      await this.workers?.end();
    }
  }

  /** The error, or one that names what leaked into the execution that was looked into. */
  private diagnosed(error: unknown): unknown {
    if (this.suspect === undefined) return error;
    const { origin, session } = this.suspect;
    return diagnosed(error, origin, session.recording.events.since(0));
  }

  /**
   * Seed 0 is executed three times in all to see that the system is deterministic, and tells how long executions are. It
   * counts where the search begins with it.
   */
  private async probe(): Promise<{ trace: Trace | undefined; steps: number }> {
    this.seed = 0;
    // Seed 0 is random, whatever the strategies are, as nothing is known beforehand.
    const executor = new Executor(this.system, { ...this.config(this.bounds.eventsMax), strategies: ['random'] });
    const executed = await executor.execute(
      { first: 0, count: 1 },
      {
        marks: this.coverage.missed,
        known: new Set(),
        isOverdue: this.isOverdue,
      },
    );
    if (this.bounds.seed === 0) await this.add(executed, executor);
    else this.raise(executed.thrown, 0, executor);
    const { session, isStalled = false } = executed;
    const origin = this.originOf(0, executor);
    if (session !== undefined) this.suspect = { origin, session };
    // What the clock ended cannot be compared.
    const trace =
      this.bounds.nondeterministic || isStalled || session === undefined
        ? undefined
        : (this.findings.list[0]?.trace ?? (await reproduced({ ...origin, isOverdue: this.isOverdue }, session)));
    this.seed = undefined;
    return { trace, steps: session?.world.length ?? this.bounds.eventsMax };
  }

  private async hunt(config: ExecutionConfig, probe: Trace | undefined): Promise<void> {
    const executor = new Executor(this.system, config);
    while (!this.isDone()) {
      const next = this.queue.take();
      if (next !== undefined) await this.add(next, executor);
      else if (this.isOver()) return;
      else await this.work(executor, await this.workersFor(config, probe));
    }
    if (this.queue.isDone && this.parallelism.waits !== 'never') await this.workers?.joined();
  }

  /** Executes seeds, where there are any that nobody has. */
  private async work(executor: Executor, workers: WorkerPool<Range, RangeResult> | undefined): Promise<void> {
    const { queue, parallelism } = this;
    const range = queue.reclaim() ?? queue.claim(parallelism.pace.size);
    if (range === undefined) return await workers?.news();
    const isNext = range.first === queue.frontier;
    const startedMs = performance.now();
    const executed = await executor.execute(range, {
      marks: this.coverage.missed,
      known: isNext ? this.findings.fingerprints : this.metAhead,
      isOver: () => this.isOver(),
      isOverdue: this.isOverdue,
    });
    const { summary } = executed;
    parallelism.pace.note(summary, performance.now() - startedMs);
    // Ahead of its turn, it is not known yet what has been found by then: as if another worker had executed it.
    queue.put(isNext ? executed : { summary });
    queue.giveBack(restOf(range, summary.executions));
    if (!isNext && summary.violated !== undefined) this.metAhead.add(summary.violated.fingerprint);
    // Signals, timers and workers want to be heard.
    await setImmediate();
  }

  /** The other workers, from the moment they are wanted. */
  private async workersFor(
    config: ExecutionConfig,
    probe: Trace | undefined,
  ): Promise<WorkerPool<Range, RangeResult> | undefined> {
    const { file, parallelism, queue, given } = this;
    if (file === undefined || probe === undefined) return undefined;
    if (performance.now() - this.beganMs < parallelism.aloneMs) return undefined;
    if (this.workers === undefined) {
      const nth = file === given.file ? given.nth : undefined;
      const assignment = {
        file,
        nth,
        parameters: this.system.parameters,
        probe,
        work: { kind: 'hunt', config },
      } as const;
      const pool = { count: parallelism.workers - 1, assignment, loadMs: parallelism.loadMs };
      this.workers = new WorkerPool(new SharedHunt(queue, parallelism.pace), pool);
      if (parallelism.waits === 'first') await this.workers.joined();
    }
    this.workers.check();
    return this.workers;
  }

  /** Takes note of what comes next in order. */
  private async add({ summary, session, thrown }: Executed, executor: Executor): Promise<void> {
    this.executions += summary.executions;
    this.unknown += summary.unknown;
    this.whyUnknown ??= summary.whyUnknown;
    this.events += summary.events;
    this.coverage.add(summary.seen);
    this.tell();
    const after = summary.first + summary.executions;
    if (summary.violated !== undefined) await this.keep(summary.violated, after - 1, session, executor);
    this.raise(thrown, after, executor);
  }

  /** What an execution threw ends the search. */
  private raise(thrown: Executed['thrown'], seed: number, executor: Executor): void {
    if (thrown === undefined) return;
    this.seed = seed;
    if (thrown.session !== undefined) this.suspect = { origin: this.originOf(seed, executor), session: thrown.session };
    throw thrown.error;
  }

  /** Where another worker met it, it is executed here once more: it must come out the same. */
  private async keep(violated: Violated, seed: number, met: Session | undefined, executor: Executor): Promise<void> {
    if (this.findings.fingerprints.has(violated.fingerprint)) return;
    this.seed = seed;
    const session = met ?? (await again(seed, executor));
    const origin = this.originOf(seed, executor);
    this.suspect = { origin, session };
    await this.findings.keep(violated, origin, session, this.executions);
    this.seed = undefined;
  }

  private tell(): void {
    if (!this.telling.isDue) return;
    this.telling.happened();
    const { executions, events, bounds } = this;
    const limits = { executionsMax: bounds.executions, secondsMax: bounds.seconds };
    const { distinct, missed } = this.coverage;
    const marks = this.system.sometimes.size;
    const seen = { distinct, marks, marksReached: marks - missed.size };
    bounds.onProgress?.({ executions, events, ...seen, elapsedMs: performance.now() - this.beganMs, ...limits });
  }

  private report(): SearchReport {
    const { executions, unknown, whyUnknown, events } = this;
    return {
      findings: this.findings.list,
      executions,
      unknown,
      ...(whyUnknown === undefined ? {} : { whyUnknown }),
      events,
      // Seed 0 is none of the queue's: where it was given up, nothing has been executed.
      nextSeed: executions === 0 ? this.bounds.seed : this.queue.frontier,
      coverage: this.coverage.report(),
    };
  }

  private isDone(): boolean {
    return this.findings.list.length >= this.bounds.violations || this.queue.isDone;
  }

  private isOver(): boolean {
    return performance.now() >= this.beganMs + this.bounds.seconds * 1000 || this.bounds.signal?.aborted === true;
  }

  private originOf(seed: number, executor: Executor): Origin {
    const { module, eventsMax, handlerMs } = this.bounds;
    return { system: this.system, module, seed, strategy: executor.strategyOf(seed), eventsMax, handlerMs };
  }

  private config(steps: number): ExecutionConfig {
    const { weights = this.system.weights, eventsMax, handlerMs } = this.bounds;
    return { strategies: this.strategies, weights, steps, eventsMax, handlerMs };
  }
}

/** The same execution, in this thread. */
async function again(seed: number, executor: Executor): Promise<Session> {
  const once = { marks: new Map(), known: new Set<string>() };
  const { session, thrown } = await executor.execute({ first: seed, count: 1 }, once);
  if (thrown !== undefined) throw thrown.error;
  return session as Session;
}
