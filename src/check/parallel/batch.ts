import type { Task, TaskDone } from './job.ts';
import type { TaskAnswer } from './worker-jobs.ts';
import type { Labour } from '../../workers/worker-pool.ts';

/** With fewer tasks than that, one that waits for a busy worker might be done by another. */
const MANY = 16;

/** Tasks that any thread may do, in any order. */
export class Round implements Labour<Task, TaskAnswer> {
  private tasks: readonly Task[] = [];
  private given = 0;
  private back: Task[] = [];
  private readonly done = new Map<Task, TaskDone>();

  begin(tasks: readonly Task[]): void {
    this.tasks = tasks;
    this.given = 0;
    this.back = [];
    this.done.clear();
  }

  get isDone(): boolean {
    return this.done.size === this.tasks.length;
  }

  /** What came of each, in order. */
  get results(): TaskDone[] {
    return this.tasks.map((task) => this.done.get(task) as TaskDone);
  }

  get held(): number {
    return this.tasks.length - this.given > MANY ? 2 : 1;
  }

  next(): Task | undefined {
    const task = this.tasks[this.given];
    if (task !== undefined) this.given += 1;
    return task;
  }

  answered(task: Task, done: TaskAnswer): undefined {
    if (done === undefined) this.giveBack(task);
    else this.done.set(task, done);
  }

  giveBack(task: Task): void {
    this.back.push(task);
  }

  /** One that a worker could not do. */
  reclaim(): Task | undefined {
    return this.back.shift();
  }
}
