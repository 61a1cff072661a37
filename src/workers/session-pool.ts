import { GivenUp } from '../kernel/user-code/overdue.ts';
import type { CallOff, NumberedJob, SessionAnswer } from './session-jobs.ts';
import type { SessionRunner } from './session-runner.ts';
import { errorFrom } from './thrown-elsewhere.ts';
import type { JobSource, PoolOptions } from './pool.ts';
import { BadWorkers, WorkerPool } from './worker-pool.ts';

/** How long the threads have to close their sessions at the end; a program that does not end is ended with its thread. */
const CLOSE_MS = 30_000;

/** On a busy machine a thread may get no processor for so long that it seems to hang: its job is begun again so often. */
const BEGUN_AGAIN_MAX = 2;

interface Pending<Job, Result> extends NumberedJob<Job> {
  begunAgain: number;
  isCalledOff: boolean;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Sessions side by side, each in a thread of its own. Executions in which processes act by themselves wait more than they
 * compute, so that there may be more threads than processors.
 */
export class SessionPool<Job, Result>
  implements SessionRunner<Job, Result>, JobSource<NumberedJob<Job>, SessionAnswer<Result>>
{
  readonly held = 1;
  private readonly pool: WorkerPool<NumberedJob<Job>, SessionAnswer<Result>>;
  private readonly waiting: Pending<Job, Result>[] = [];
  private readonly running = new Map<number, Pending<Job, Result>>();
  private count = 0;
  private failure: Error | undefined;
  private isEnded = false;
  private ending: Promise<void> | undefined;

  constructor(
    readonly jobs: number,
    options: Omit<PoolOptions, 'count'>,
  ) {
    this.pool = new WorkerPool(this, { ...options, count: 1, loadsFirst: true, isNumbered: true });
    void this.watch();
  }

  /** Waits until the first thread has loaded the system; throws if it cannot. */
  async joined(): Promise<void> {
    await this.pool.joined();
  }

  run(job: Job, signal?: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      if (this.isEnded || signal?.aborted === true) return reject(new GivenUp());
      const stop = (): void => this.callOff(pending);
      const settled = (): void => signal?.removeEventListener('abort', stop);
      const pending = {
        id: this.count++,
        job,
        begunAgain: 0,
        isCalledOff: false,
        resolve: (result: Result): void => (settled(), resolve(result)),
        reject: (error: Error): void => (settled(), reject(error)),
      };
      this.waiting.push(pending);
      signal?.addEventListener('abort', stop);
      // Threads take a while to start, so only those that are needed do.
      this.pool.growTo(Math.min(this.jobs, this.waiting.length + this.running.size));
      this.pool.dispatch();
    });
  }

  end(): Promise<void> {
    return (this.ending ??= this.endAll());
  }

  private async endAll(): Promise<void> {
    this.isEnded = true;
    for (const pending of [...this.waiting, ...this.running.values()]) this.callOff(pending);
    const untilMs = performance.now() + CLOSE_MS;
    while (this.running.size > 0 && this.failure === undefined && performance.now() < untilMs) await this.pool.wait();
    await this.pool.end();
  }

  next(): NumberedJob<Job> | undefined {
    const pending = this.waiting.shift();
    if (pending === undefined) return undefined;
    this.running.set(pending.id, pending);
    return { id: pending.id, job: pending.job };
  }

  answered({ id }: NumberedJob<Job>, answer: SessionAnswer<Result>): undefined {
    const pending = this.running.get(id);
    this.running.delete(id);
    if (answer.kind === 'done') pending?.resolve(answer.result);
    else pending?.reject(answer.kind === 'given up' ? new GivenUp() : errorFrom(answer.error));
  }

  giveBack({ id }: NumberedJob<Job>, why: 'hangs' | { readonly error: unknown }): void {
    const pending = this.running.get(id);
    this.running.delete(id);
    if (pending === undefined) return;
    if (pending.isCalledOff) return pending.reject(new GivenUp());
    if (why === 'hangs' && pending.begunAgain < BEGUN_AGAIN_MAX && !this.isEnded) {
      pending.begunAgain += 1;
      this.waiting.unshift(pending);
      return;
    }
    const reason = why === 'hangs' ? 'its code did not return' : String(why.error);
    pending.reject(new BadWorkers(`a thread ended in the middle of an execution: ${reason}.`, MIDDLE));
  }

  private callOff(pending: Pending<Job, Result>): void {
    pending.isCalledOff = true;
    const at = this.waiting.indexOf(pending);
    if (at >= 0) {
      this.waiting.splice(at, 1);
      pending.reject(new GivenUp());
    } else if (this.running.has(pending.id)) this.pool.broadcast({ callOff: pending.id } satisfies CallOff);
  }

  /** Threads that cannot load the system fail all jobs. */
  private async watch(): Promise<void> {
    while (!this.isEnded) {
      await this.pool.wait();
      try {
        this.pool.check();
      } catch (error) {
        const failure = error as BadWorkers;
        this.failure = failure;
        for (const { reject } of [...this.waiting.splice(0), ...this.running.values()]) reject(failure);
        this.running.clear();
        return;
      }
    }
  }
}

const MIDDLE =
  'The system must not end its process or leave an error unhandled: run it with one job (--jobs 1, jobs: 1) to see which.';
