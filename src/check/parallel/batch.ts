import type { Job, JobResult } from './job.ts';
import type { JobAnswer } from './worker-jobs.ts';
import type { JobSource } from '../../workers/worker-pool.ts';

/** With fewer tasks than that, one that waits for a busy worker might be done by another. */
const MANY = 16;

/** Tasks that any thread may do, in any order. */
export class Batch implements JobSource<Job, JobAnswer> {
  private tasks: readonly Job[] = [];
  private given = 0;
  private back: Job[] = [];
  private readonly done = new Map<Job, JobResult>();

  begin(tasks: readonly Job[]): void {
    this.tasks = tasks;
    this.given = 0;
    this.back = [];
    this.done.clear();
  }

  get isDone(): boolean {
    return this.done.size === this.tasks.length;
  }

  /** The result of each, in order. */
  get results(): JobResult[] {
    return this.tasks.map((task) => this.done.get(task) as JobResult);
  }

  get held(): number {
    return this.tasks.length - this.given > MANY ? 2 : 1;
  }

  next(): Job | undefined {
    const task = this.tasks[this.given];
    if (task !== undefined) this.given += 1;
    return task;
  }

  answered(task: Job, done: JobAnswer): undefined {
    if (done === undefined) this.giveBack(task);
    else this.done.set(task, done);
  }

  giveBack(task: Job): void {
    this.back.push(task);
  }

  /** One that a worker could not do. */
  reclaim(): Job | undefined {
    return this.back.shift();
  }
}
