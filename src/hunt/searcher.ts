import { setImmediate } from 'node:timers/promises';
import { Coverage } from '../coverage/coverage.ts';
import { trustedStrategy } from '../schedule/strategies.ts';
import { Executor, restOf, type Executed, type ExecutionConfig } from './executor.ts';
import { Findings } from './findings.ts';
import { recordUntilRepeated, reproduced } from '../replay/reproduce-finding.ts';
import { GivenUp, overdue } from '../kernel/user-code/overdue.ts';
import type { Session } from '../kernel/ports.ts';
import { Throttle } from '../kernel/throttle.ts';
import { SeedQueue, SharedHunt, type QueuePace } from './seed-queue.ts';
import { diagnosed } from '../determinism/not-deterministic.ts';
import { record, type Origin } from '../execution/record.ts';
import { SearchEnded } from './search-ended.ts';
import { Stopwatch } from './stopwatch.ts';
import { Takeovers } from './takeover.ts';
import type { Bounds } from './options.ts';
import { progressOfSession, type ExecutionProgress } from './execution-progress.ts';
import type { SearchReport } from './report.ts';
import { resolveSystem, type ResolvedSystem } from '../system/resolve.ts';
import type { System } from '../system/definition.ts';
import type { Event } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import type { Violated } from '../trace/verdict.ts';
import type { Threads } from '../workers/threads.ts';
import type { Pool, StartPool } from '../workers/pool.ts';
import { fileForWorkers } from '../workers/worker-pool.ts';

/** The interval between two progress reports. */
const PROGRESS_MS = 200;

/** How a search uses threads. Its findings do not depend on this. */
export interface Parallelism extends Threads {
  /** Starts the other threads: those of this process, or those of other machines. */
  readonly start: StartPool;
  /** The number of executions that a thread claims at a time. */
  readonly pace: QueuePace;
}

/**
 * Runs a search. A free thread executes the next seeds. This thread adds up the results in the order of the seeds, and
 * it alone decides what a violation or an exception means. So the report is the same for any number of workers, and one
 * worker runs the same code.
 */
export class Searcher {
  private readonly strategies: readonly string[];
  /** The module from which workers load the system; undefined if there are no workers. */
  private readonly file: string | undefined;
  private readonly coverage: Coverage;
  private readonly queue: SeedQueue;
  private readonly findings: Findings;
  /** Fingerprints of violations that this thread found in seeds ahead of the frontier. */
  private readonly metAhead = new Set<string>();
  private readonly stopwatch = new Stopwatch();
  private readonly takeovers: Takeovers | undefined;
  private readonly progressThrottle = new Throttle(PROGRESS_MS);
  private executions = 0;
  private unknown = 0;
  private whyUnknown: string | undefined;
  private execution: ExecutionProgress | undefined;
  private events = 0;
  /** The seed that is being examined, and its execution. */
  private seed: number | undefined;
  /** The execution of seed 0, as recorded. */
  private example: Trace | undefined;
  private suspect: { readonly origin: Origin; readonly session: Session } | undefined;
  private workers: Pool | undefined;

  constructor(
    private readonly given: System,
    private readonly bounds: Bounds,
    private readonly parallelism: Parallelism,
    private readonly system = resolveSystem(given, bounds.set),
  ) {
    this.strategies = [bounds.strategy].flat();
    for (const name of this.strategies) trustedStrategy(name);
    this.file = parallelism.workers === 1 ? undefined : fileForWorkers(given, bounds.module);
    this.coverage = new Coverage(this.system.sometimes);
    this.takeovers = bounds.takeover && new Takeovers(bounds.takeover, this.stopwatch);
    this.findings = new Findings(bounds.nondeterministic ? recordUntilRepeated : reproduced);
    // The probe has executed seed 0.
    this.queue = new SeedQueue(Math.max(bounds.seed, 1), bounds.seed + bounds.executions, bounds.violations);
  }

  /** A single execution may take longer than the whole search. */
  private readonly isOverdue = overdue(() => this.isOver());

  async run(): Promise<SearchReport> {
    try {
      const probe = await this.probe();
      this.example = probe.trace;
      await this.hunt(this.config(probe.steps), probe.trace);
      return this.report();
    } catch (error) {
      if (error instanceof GivenUp) return this.report();
      throw new SearchEnded(this.report(), this.seed, await this.diagnosed(error));
    } finally {
      await this.workers?.end();
    }
  }

  /** The error, or one that names the source of nondeterminism in the examined execution. */
  private diagnosed(error: unknown): unknown {
    if (this.suspect === undefined) return error;
    const { origin, session } = this.suspect;
    return diagnosed(error, origin, session.recording.events.since(0));
  }

  /**
   * Executes seed 0 three times to see whether the system is deterministic, and how long executions are. The first of
   * these counts if the search begins with seed 0.
   */
  private async probe(): Promise<{ trace: Trace | undefined; steps: number }> {
    this.seed = 0;
    // Seed 0 uses the random strategy, because the others need to know the length of executions.
    const executor = this.executor({ ...this.config(this.bounds.eventsMax), strategies: ['random'] });
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
    // An execution that the clock ended cannot be compared.
    const trace =
      this.bounds.nondeterministic || isStalled || session === undefined
        ? undefined
        : (this.findings.list[0]?.trace ?? (await reproduced({ ...origin, isOverdue: this.isOverdue }, session)));
    this.seed = undefined;
    return { trace, steps: session?.world.length ?? this.bounds.eventsMax };
  }

  private async hunt(config: ExecutionConfig, probe: Trace | undefined): Promise<void> {
    const executor = this.executor(config);
    while (!this.isDone()) {
      const next = this.queue.take();
      if (next !== undefined) await this.add(next, executor);
      else if (this.isOver()) return;
      else await this.work(executor, await this.workersFor(config, probe));
    }
    if (this.queue.isDone && this.parallelism.waits !== 'never') await this.workers?.joined();
  }

  /** Executes seeds that no thread has claimed, if there are any. */
  private async work(executor: Executor, workers: Pool | undefined): Promise<void> {
    const { queue, parallelism } = this;
    const isFree = workers === undefined || workers.isShared;
    const range = queue.reclaim() ?? (isFree ? queue.claim(parallelism.pace.size) : undefined);
    if (range === undefined) {
      this.reportProgress(undefined);
      return await workers?.wait();
    }
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
    // The findings before this range are not known yet, so it counts as if another worker had executed it.
    queue.put(isNext ? executed : { summary });
    queue.giveBack(restOf(range, summary.executions));
    if (!isNext && summary.violated !== undefined) this.metAhead.add(summary.violated.fingerprint);
    // Let signals, timers and messages of workers be handled.
    await setImmediate();
  }

  /** The other workers, started when they are first needed. */
  private async workersFor(config: ExecutionConfig, probe: Trace | undefined): Promise<Pool | undefined> {
    const { file, parallelism, queue, given } = this;
    if (file === undefined || probe === undefined) return undefined;
    if (this.stopwatch.elapsedMs < parallelism.aloneMs || parallelism.pace.isSettled === false) return undefined;
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
      this.workers = parallelism.start(new SharedHunt(queue, parallelism.pace), pool);
      if (parallelism.waits === 'first') await this.workers.joined();
    }
    this.workers.check();
    return this.workers;
  }

  /** Adds the next result in the order of the seeds. */
  private async add({ summary, session, thrown }: Executed, executor: Executor): Promise<void> {
    this.executions += summary.executions;
    this.unknown += summary.unknown;
    this.whyUnknown ??= summary.whyUnknown;
    this.events += summary.events;
    this.coverage.add(summary.seen);
    this.reportProgress(session);
    const after = summary.first + summary.executions;
    if (summary.violated !== undefined) await this.keep(summary.violated, after - 1, session, executor);
    this.raise(thrown, after, executor);
  }

  /** Ends the search with the error that an execution threw. */
  private raise(thrown: Executed['thrown'], seed: number, executor: Executor): void {
    if (thrown === undefined) return;
    this.seed = seed;
    if (thrown.session !== undefined) this.suspect = { origin: this.originOf(seed, executor), session: thrown.session };
    throw thrown.error;
  }

  /** A violation that another worker found is executed again in this thread, and must be the same. */
  private async keep(violated: Violated, seed: number, met: Session | undefined, executor: Executor): Promise<void> {
    if (this.findings.fingerprints.has(violated.fingerprint)) return;
    this.seed = seed;
    const session = met ?? (await again(seed, executor));
    const origin = this.originOf(seed, executor);
    this.suspect = { origin, session };
    await this.findings.keep(violated, origin, session, this.executions);
    this.seed = undefined;
  }

  /** `last`: an execution that just ended, if it did so in this thread. */
  private reportProgress(last: Session | undefined): void {
    if (!this.progressThrottle.isDue) return;
    this.progressThrottle.happened();
    const { executions, events, bounds } = this;
    const limits = { executionsMax: bounds.executions, secondsMax: bounds.seconds };
    const { distinct, missed } = this.coverage;
    const marks = this.system.sometimes.size;
    const seen = { distinct, found: this.findings.list.length, marks, marksReached: marks - missed.size };
    if (last !== undefined && isNetwork(this.system)) this.execution = progressOfSession(last, undefined);
    const execution = this.execution === undefined ? {} : { execution: this.execution };
    const fleet = this.workers?.fleet === undefined ? {} : { fleet: this.workers.fleet };
    const { elapsedMs } = this.stopwatch;
    bounds.onProgress?.({ executions, events, ...seen, elapsedMs, ...limits, ...execution, ...fleet });
  }

  private report(): SearchReport {
    const { executions, unknown, whyUnknown, events } = this;
    return {
      findings: this.findings.list,
      executions,
      unknown,
      ...(whyUnknown === undefined ? {} : { whyUnknown }),
      events,
      // Seed 0 is not in the queue: if it was abandoned, no seed has been executed.
      nextSeed: executions === 0 ? this.bounds.seed : this.queue.frontier,
      coverage: this.coverage.report(),
      ...(this.example === undefined ? {} : { example: this.example }),
    };
  }

  private isDone(): boolean {
    return this.findings.list.length >= this.bounds.violations || this.queue.isDone;
  }

  private isOver(): boolean {
    return this.stopwatch.elapsedMs >= this.bounds.seconds * 1000 || this.bounds.signal?.aborted === true;
  }

  private executor(config: ExecutionConfig): Executor {
    const { takeovers } = this;
    if (takeovers === undefined) return new Executor(this.system, config);
    const executor: Executor = new Executor(this.system, config, (seed, paused, startsFirst) => {
      const origin = this.originOf(seed, executor);
      const events = (): readonly Event[] => paused.session.recording.events.since(0);
      const lines = async (): Promise<Trace['events']> => (await record(origin, events())).events;
      return takeovers.handOver(paused, { origin, startsFirst, lines });
    });
    return executor;
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

/** Executes a seed once more, in this thread. */
async function again(seed: number, executor: Executor): Promise<Session> {
  const once = { marks: new Map(), known: new Set<string>() };
  const { session, thrown } = await executor.execute({ first: seed, count: 1 }, once);
  if (thrown !== undefined) throw thrown.error;
  return session as Session;
}

/** Whether controllers exchange messages with the nodes of its topology. */
const isNetwork = ({ topology }: ResolvedSystem): boolean => (topology?.controllers ?? []).length > 0;
