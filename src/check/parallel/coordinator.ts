import { setImmediate } from 'node:timers/promises';
import type { CheckBounds } from '../options.ts';
import type { FaultPlanSearch } from '../fault-plan-search.ts';
import type { SavedCheck } from '../checkpoint.ts';
import type { PlanExplorer } from '../plan-explorer.ts';
import { JobRun } from './run-job.ts';
import { Partition } from './partition.ts';
import type { System } from '../../system/definition.ts';
import type { Job, JobResult } from './job.ts';
import { readTrace } from '../../trace/file.ts';
import type { CheckWork, JobAnswer } from './worker-jobs.ts';
import { LOAD_MS } from '../../workers/threads.ts';
import type { FleetProgress, JobSource, Pool, PoolOptions } from '../../workers/pool.ts';
import { startThreads } from '../../workers/worker-pool.ts';

/** With fewer pieces than this, pieces are divided. This number keeps several workers busy until the end of a round. */
const PIECES = 32;

/** The number of executions of each piece in the first round; it doubles in each round, up to a maximum. */
const QUOTA = 64;
const QUOTA_MAX = 4096;

/** The system, and the module from which workers load it; undefined if there are none. */
export interface Given {
  readonly system: System;
  readonly file: string | undefined;
}

/** The rest of the budget. */
export interface RemainingBudget {
  readonly executions: number;
  readonly seconds: number;
}

/**
 * Explores the rest of a check in pieces, by several threads, in rounds: all pieces are handed out, and the results are
 * put together in order when all have arrived. So the result depends neither on which thread explores which piece, nor
 * on the number of threads.
 */
export class Coordinator {
  private readonly plans: readonly Partition[];
  private quota: number;
  private readonly round = new Batch();
  private workers: Pool | undefined;
  /** When the time of this round is over. */
  private endMs = Number.POSITIVE_INFINITY;

  constructor(
    private readonly given: Given,
    private readonly bounds: CheckBounds,
    private readonly explorer: PlanExplorer,
    { plans, quota = QUOTA }: Pick<SavedCheck, 'plans' | 'quota'>,
  ) {
    this.plans = plans.map((plan) => new Partition(plan));
    this.quota = quota;
  }

  /** The explored share of each plan, estimated. */
  get shares(): number[] {
    return this.plans.map(({ share }) => share);
  }

  /** What other machines are doing, if they explore pieces. */
  get fleet(): FleetProgress | undefined {
    return this.workers?.fleet;
  }

  save(): Pick<SavedCheck, 'plans' | 'quota'> {
    const { plans } = this.explorer;
    const saved = this.plans.map((shared, at) => {
      const { tally } = plans[at] as FaultPlanSearch;
      return { ...tally.save(), ...shared.save() };
    });
    return { plans: saved, quota: this.quota };
  }

  /** Waits until all workers have loaded the system, even if the check is over by then: a worker that cannot is an error. */
  async joined(): Promise<void> {
    if (this.bounds.signal?.aborted !== true) await this.workers?.joined();
  }

  async end(): Promise<void> {
    await this.workers?.end();
  }

  /** Runs one round. An interruption ends its jobs early. */
  async explore(limits: RemainingBudget, onProgress: () => void): Promise<void> {
    const jobs = this.jobs(limits);
    this.endMs = performance.now() + limits.seconds * 1000;
    this.round.begin(jobs);
    this.startWorkers();
    while (!this.round.isDone) {
      const isFree = this.workers === undefined || this.workers.isShared || this.isOver;
      const job = this.round.reclaim() ?? (isFree ? this.round.next() : undefined);
      if (job === undefined) await this.workers?.wait();
      else this.round.answered(job, await this.here(job));
      this.workers?.check();
      if (this.isOver) this.workers?.stop();
      onProgress();
      // Let signals and messages of workers be handled.
      await setImmediate();
    }
    await this.takeBack(jobs, this.round.results);
    this.quota = Math.min(2 * this.quota, QUOTA_MAX);
  }

  private get isOver(): boolean {
    return this.bounds.signal?.aborted === true || performance.now() >= this.endMs;
  }

  private jobs({ executions, seconds }: RemainingBudget): Job[] {
    const { explorer, quota } = this;
    const oracleReads = explorer.oracleReads.save();
    const fingerprints = [...explorer.verdicts.fingerprints];
    const violations = this.bounds.violations - explorer.findings.length;
    const parts = this.plans.flatMap((plan, at) => plan.handOut().map((part) => ({ ...part, plan: at })));
    const divides = parts.length < PIECES;
    // A clock ends no job of another machine: its answer counts for every command that asks for it.
    const secondsEach = this.bounds.fleet === undefined ? seconds : Number.POSITIVE_INFINITY;
    let left = executions;
    return parts.map((part) => {
      const mine = Math.min(quota, left);
      left -= mine;
      return { ...part, oracleReads, fingerprints, executions: mine, violations, seconds: secondsEach, divides };
    });
  }

  private async here(job: Job): Promise<JobResult> {
    const jobRun = new JobRun(this.explorer.system, this.bounds, this.explorer.probe);
    try {
      const seconds = Math.max(0, this.endMs - performance.now()) / 1000;
      return await jobRun.run({ ...job, seconds });
    } catch (error) {
      this.explorer.suspect = jobRun.explorer.suspect;
      throw error;
    }
  }

  private startWorkers(): void {
    const { file } = this.given;
    const count = this.bounds.workers - 1;
    if (this.workers !== undefined) this.workers.dispatch();
    else if (file !== undefined) {
      const { fleet: start = startThreads } = this.bounds;
      this.workers = start(this.round, { count, assignment: this.assignment(file), loadMs: LOAD_MS });
    }
  }

  private assignment(file: string): PoolOptions['assignment'] {
    const {
      signal: _signal,
      onSave: _save,
      onProgress: _progress,
      from: _from,
      fleet: _fleet,
      ...bounds
    } = this.bounds;
    const { system } = this.given;
    const nth = file === system.file ? system.nth : undefined;
    const { parameters } = this.explorer.system;
    const work: CheckWork = { kind: 'check', bounds };
    return { file, nth, parameters, probe: this.explorer.probe, work };
  }

  private async takeBack(jobs: readonly Job[], done: readonly JobResult[]): Promise<void> {
    const { oracleReads, plans } = this.explorer;
    const { version } = oracleReads;
    for (const [at, one] of done.entries()) {
      await this.keep(one);
      this.count(jobs[at] as Job, one);
    }
    const hasNewReads = oracleReads.version !== version;
    for (const [at, shared] of this.plans.entries()) {
      const { tally } = plans[at] as FaultPlanSearch;
      const mine = done.filter((_, place) => jobs[place]?.plan === at);
      if (mine.length === 0) continue;
      if (!mine.some(({ isStale }) => isStale)) shared.takeBack(mine);
      tally.isDone = shared.isDone;
      if (!hasNewReads || tally.isDone) continue;
      shared.startOver();
      tally.startOver();
    }
  }

  /** Keeps the violations of a job. They must repeat in this thread. */
  private async keep({ findings }: JobResult): Promise<void> {
    const { explorer } = this;
    const { executions: before } = explorer;
    for (const { trace: text, executions } of findings)
      if (explorer.findings.length < this.bounds.violations)
        await explorer.adopt(readTrace(text, 'what a worker found'), before + executions);
  }

  private count({ plan }: Job, { saved, oracleReads, whyUnknown, claims, audited, refuted }: JobResult): void {
    const { explorer } = this;
    const { verdicts, audit, plans } = explorer;
    plans[plan]?.tally.add(saved);
    explorer.oracleReads.add(oracleReads);
    verdicts.whyUnknown ??= whyUnknown;
    audit.claims += claims;
    audit.audited += audited;
    explorer.addRefuted(refuted);
  }
}

/** With more jobs left than this, each worker gets a second one in advance. With fewer, another worker may be free sooner. */
const MANY = 16;

/** The jobs of one round, which any thread may do, in any order. */
class Batch implements JobSource<Job, JobAnswer> {
  private jobs: readonly Job[] = [];
  private given = 0;
  private back: Job[] = [];
  private readonly done = new Map<Job, JobResult>();

  begin(jobs: readonly Job[]): void {
    this.jobs = jobs;
    this.given = 0;
    this.back = [];
    this.done.clear();
  }

  get isDone(): boolean {
    return this.done.size === this.jobs.length;
  }

  /** The result of each job, in order. */
  get results(): JobResult[] {
    return this.jobs.map((job) => this.done.get(job) as JobResult);
  }

  get held(): number {
    return this.jobs.length - this.given > MANY ? 2 : 1;
  }

  next(): Job | undefined {
    const job = this.jobs[this.given];
    if (job !== undefined) this.given += 1;
    return job;
  }

  answered(job: Job, done: JobAnswer): undefined {
    if (done === undefined) this.giveBack(job);
    else this.done.set(job, done);
  }

  giveBack(job: Job): void {
    this.back.push(job);
  }

  /** A job that a worker could not do. */
  reclaim(): Job | undefined {
    return this.back.shift();
  }
}
