import { GivenUp } from '../kernel/user-code/overdue.ts';

/** Executes jobs, each in a session of its own, and at most so many at a time. */
export interface SessionRunner<Job, Result> {
  readonly jobs: number;
  /** Rejects with `GivenUp` if the signal comes first. The session is closed in either case. */
  run(job: Job, signal?: AbortSignal): Promise<Result>;
  /** Ends all jobs, and resolves when no session is left. */
  end(): Promise<void>;
}

/** Executes one job. Asks now and then whether the job was called off, and throws `GivenUp` then. */
export type ExecuteJob<Job, Result> = (job: Job, isCalledOff: () => boolean) => Promise<Result>;

/** Executes jobs in this thread. */
export class LocalRunner<Job, Result> implements SessionRunner<Job, Result> {
  readonly jobs = 1;
  private readonly underWay = new Set<Promise<unknown>>();
  private isEnded = false;

  constructor(private readonly execute: ExecuteJob<Job, Result>) {}

  async run(job: Job, signal?: AbortSignal): Promise<Result> {
    const isCalledOff = (): boolean => this.isEnded || signal?.aborted === true;
    if (isCalledOff()) throw new GivenUp();
    const running = this.execute(job, isCalledOff);
    this.underWay.add(running);
    try {
      return await running;
    } finally {
      this.underWay.delete(running);
    }
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await Promise.allSettled(this.underWay);
  }
}
