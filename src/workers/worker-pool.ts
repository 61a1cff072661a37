import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { CulpritError } from '../error.ts';
import { isPrintingShown } from '../kernel/user-code/console-capture.ts';
import { hangIn, watchMemory } from '../kernel/user-code/watchdog.ts';
import { clearAfter } from '../system/compiled-module.ts';
import { foldersAbove, modulePath } from '../files/module-path.ts';
import type { System } from '../system/definition.ts';
import { STOP, type Assignment, type WorkerMessage } from './messages.ts';
import type { JobSource, Pool, PoolOptions, StartPool } from './pool.ts';

/** The workers cannot run the system. */
export class BadWorkers extends CulpritError {
  readonly code = 'BAD_WORKERS';
}

/** The interval at which workers are watched. */
const WATCH_MS = 50;

/** Options of threads alone. */
export interface ThreadOptions extends PoolOptions {
  /** Whether no job begins while a worker loads the system: loading takes the processor from executions in real time. */
  readonly loadsFirst?: boolean;
  /** Whether jobs have numbers, and one answer each. */
  readonly isNumbered?: boolean;
}

interface Thread<Job> {
  readonly worker: Worker;
  readonly id: number;
  readonly startedMs: number;
  readonly isHanging: () => boolean;
  /** The jobs that were given and are not done, in order. */
  held: Job[];
  isReady: boolean;
  /** Whether the pool ended it. */
  hung: boolean;
}

/**
 * Worker threads. Each does jobs and sends results. Everything else (an exception, a hang, its own end) is left to the
 * thread that started them: jobs come back and are done there.
 */
export class WorkerPool<Job, Answer> implements Pool {
  readonly isShared = true;
  readonly fleet = undefined;
  private readonly threads = new Set<Thread<Job>>();
  private readonly watch: NodeJS.Timeout;
  private waiters: (() => void)[] = [];
  private failure: BadWorkers | undefined;

  constructor(
    private readonly jobs: JobSource<Job, Answer>,
    private readonly options: ThreadOptions,
  ) {
    this.growTo(options.count);
    this.watch = setInterval(() => this.watchThreads(), WATCH_MS);
  }

  /** Starts threads until there are so many. */
  growTo(count: number): void {
    while (this.threads.size < count) this.start();
  }

  wait(): Promise<void> {
    return new Promise((resolve) => void this.waiters.push(resolve));
  }

  private wake(): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const resolve of waiters) resolve();
  }

  check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  async joined(): Promise<void> {
    while (this.failure === undefined && !this.areReady) await this.wait();
    this.check();
  }

  private get areReady(): boolean {
    return [...this.threads].every(({ isReady }) => isReady);
  }

  async end(): Promise<void> {
    clearInterval(this.watch);
    const ending = [...this.threads];
    this.threads.clear();
    await Promise.all(ending.map(({ worker }) => worker.terminate()));
    for (const { id } of ending) clearAfter(this.options.assignment.file, id);
  }

  private start(): void {
    const memory = watchMemory();
    const verbose = isPrintingShown();
    const { assignment, isNumbered = false } = this.options;
    const workerData: Assignment = { ...assignment, memory, verbose, isNumbered };
    // The entry lies beside this folder, as a source or built.
    const entry = new URL(`../worker${extname(import.meta.url)}`, import.meta.url);
    // The output of loading the module has been printed by the first thread that loaded it.
    const worker = new Worker(entry, { workerData, stdout: true, stderr: !verbose });
    worker.stdout.resume();
    if (!verbose) worker.stderr.resume();
    const thread: Thread<Job> = {
      worker,
      id: worker.threadId,
      startedMs: performance.now(),
      isHanging: hangIn(memory),
      held: [],
      isReady: false,
      hung: false,
    };
    this.threads.add(thread);
    let error: unknown;
    worker.on('message', (message: WorkerMessage<Answer>) => this.onMessage(thread, message));
    worker.on('error', (thrown) => (error = thrown));
    worker.on('exit', (code) => this.onExit(thread, error ?? `exit code ${code}`));
  }

  /** Sends a message that is no job to all workers. */
  broadcast(message: unknown): void {
    for (const { worker } of this.threads) worker.postMessage(message);
  }

  stop(): void {
    this.broadcast(STOP);
  }

  dispatch(): void {
    for (const thread of this.threads) this.give(thread);
  }

  private onMessage(thread: Thread<Job>, message: WorkerMessage<Answer>): void {
    if (!this.threads.has(thread)) return;
    if (message.kind === 'unable') this.fail(message.problem, message.next);
    else if (message.kind === 'ready') thread.isReady = true;
    else this.settle(thread, message.answer);
    if (message.kind === 'ready' && this.options.loadsFirst === true) this.dispatch();
    else this.give(thread);
    this.wake();
  }

  private settle(thread: Thread<Job>, answer: Answer): void {
    const [job, ...later] = thread.held;
    const rest = this.jobs.answered(job as Job, answer);
    thread.held = rest === undefined ? later : [rest, ...later];
  }

  private give(thread: Thread<Job>): void {
    if (!(this.options.loadsFirst === true ? this.areReady : thread.isReady)) return;
    while (thread.held.length < this.jobs.held) {
      const job = this.jobs.next();
      if (job === undefined) return;
      thread.held.push(job);
      thread.worker.postMessage(job);
    }
  }

  private watchThreads(): void {
    for (const thread of this.threads) {
      if (thread.hung || !thread.isHanging()) continue;
      thread.hung = true;
      void thread.worker.terminate();
    }
    const { loadMs, assignment } = this.options;
    const isLate = ({ isReady, startedMs }: Thread<Job>): boolean => !isReady && performance.now() - startedMs > loadMs;
    if ([...this.threads].some(isLate)) this.fail(`it has not loaded ${assignment.file} within ${loadMs} ms.`, LOADING);
    this.wake();
  }

  /** Takes back the jobs of a worker that ended. A worker that had done some work is replaced. */
  private onExit(thread: Thread<Job>, why: unknown): void {
    if (!this.threads.delete(thread)) return;
    clearAfter(this.options.assignment.file, thread.id);
    for (const job of thread.held) this.jobs.giveBack(job, thread.hung ? 'hangs' : { error: why });
    if (thread.isReady) this.start();
    // A worker that hangs in the first execution is no news: the thread that started it hung there, too.
    else if (!thread.hung)
      this.fail(`it ended while it loaded ${this.options.assignment.file}: ${String(why)}.`, LOADING);
    this.wake();
  }

  private fail(problem: string, next: string): void {
    this.failure ??= new BadWorkers(
      `a worker thread failed: ${problem}`,
      `${next} ${this.options.alone ?? ALONE_WORKER}`,
    );
  }
}

/** Threads of this process. */
export const startThreads: StartPool = (jobs, options) => new WorkerPool(jobs, options);

const ALONE_WORKER = 'Or use one worker (--workers 1, workers: 1).';

/** The same where sessions run side by side. */
export const ALONE_JOB = 'Or use one job (--jobs 1, jobs: 1).';

const LOADING = 'Importing the module must only define the system.';

/** The module from which workers load the system, as its default export. */
export function fileForWorkers(system: System, module: string | undefined, alone = ALONE_WORKER): string {
  const { file } = system;
  if (file !== undefined && (module === undefined || modulePath(file) === module)) return file;
  const folders = foldersAbove(file === undefined ? process.cwd() : dirname(file));
  const found =
    module === undefined
      ? undefined
      : [...folders].map((folder) => join(folder, module)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new BadWorkers(
    `cannot start workers: ${module === undefined ? "the system's module is unknown" : `the system's module, ${module}, does not exist`}.`,
    `Set \`module\` to the file that exports the system by default, relative to its package. ${alone}`,
  );
}
