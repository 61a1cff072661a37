import { setImmediate } from 'node:timers/promises';
import type { Assignment } from '../workers/messages.ts';
import type { Threads } from '../workers/threads.ts';
import { BadWorkers, WorkerPool } from '../workers/worker-pool.ts';
import type { CandidateAnswer, CandidateJob, CandidateWork } from './candidate-jobs.ts';
import type { CandidatePlan } from './candidate-plan.ts';

/** The assignment of threads that execute candidates. */
export type CandidateAssignment = Omit<Assignment<CandidateWork>, 'memory' | 'verbose' | 'isNumbered'>;

/** Threads that execute candidates for the thread that minimizes. They start when a minimization takes long. */
export class TrialHelpers {
  /** Shared memory with the number of the newest round of candidates. */
  readonly newest = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private readonly beganMs = performance.now();
  private pool: WorkerPool<CandidateJob, CandidateAnswer> | undefined;
  private isEnded = false;

  constructor(
    private readonly threads: Threads,
    /** Throws if the module of the system is unknown. */
    private readonly assignment: () => CandidateAssignment,
  ) {}

  /** Gives the threads a share of a plan. Says whether there are any. */
  async share(plan: CandidatePlan): Promise<boolean> {
    if (this.isEnded || performance.now() - this.beganMs < this.threads.aloneMs) return false;
    try {
      this.pool ??= await this.started(plan);
      this.pool.check();
      this.pool.dispatch();
      return true;
    } catch (error) {
      // A user who did not ask for threads needs none.
      if (!(error instanceof BadWorkers) || this.threads.waits !== 'never') throw error;
      await this.end();
      plan.forget();
      return false;
    }
  }

  /** Lets messages of the threads be handled. If there is nothing else to do, waits for one, but not for long. */
  async listen(isIdle: boolean): Promise<void> {
    await (isIdle ? this.pool?.wait() : setImmediate());
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.pool?.end();
  }

  private async started(plan: CandidatePlan): Promise<WorkerPool<CandidateJob, CandidateAnswer>> {
    const { workers, waits, loadMs } = this.threads;
    const { work, ...given } = this.assignment();
    const assignment = { ...given, work: { ...work, newest: this.newest } };
    const pool = new WorkerPool(plan, { count: workers - 1, assignment, loadMs });
    if (waits === 'first') await pool.joined();
    return pool;
  }
}
