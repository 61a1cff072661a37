import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { CulpritError } from './error.ts';
import type { Range, Stretch } from './executor.ts';
import { hangIn, watchMemory } from './kernel/watchdog.ts';
import { restOf, type Ledger } from './ledger.ts';
import { clearAfter } from './load-system.ts';
import { foldersAbove, modulePath } from './module-path.ts';
import type { System } from './targets/actors/system.ts';
import type { Assignment, News } from './worker.ts';

/** The workers cannot hunt for the system. */
export class BadWorkers extends CulpritError {
  readonly code = 'BAD_WORKERS';
}

/** How many ranges a worker has, the one under way among them: the hunt's own thread is not always free to give more. */
const RANGES_HELD = 2;

/** How often workers are looked after. */
const WATCH_MS = 50;

/** What workers share with the hunt's own thread. */
export interface SharedHunt {
  readonly ledger: Ledger;
  /** How many executions to claim at a time. */
  readonly pace: { readonly size: number; note(stretch: Stretch, tookMs: number): void };
  readonly assignment: Omit<Assignment, 'memory'>;
  /** How long a worker may take to load the system. */
  readonly loadMs: number;
}

interface Thread {
  readonly worker: Worker;
  readonly id: number;
  readonly startedMs: number;
  readonly isHanging: () => boolean;
  /** Claimed and not yet executed, in order. */
  held: Range[];
  isReady: boolean;
  /** Ended by us. */
  hung: boolean;
}

/**
 * The threads that hunt beside the hunt's own. Each executes ranges and tells what came of them. Whatever is more than
 * that (an exception, a hang, its own end) is left to the hunt's own thread: seeds come back and are executed there.
 */
export class Workers {
  private readonly threads = new Set<Thread>();
  private readonly watch: NodeJS.Timeout;
  private wake: () => void = () => {};
  private failure: BadWorkers | undefined;

  constructor(
    private readonly hunt: SharedHunt,
    count: number,
  ) {
    for (let at = 0; at < count; at++) this.start();
    this.watch = setInterval(() => this.look(), WATCH_MS);
  }

  /** Waits until something has happened, though not for long. */
  news(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** Throws where they cannot do what they are for. */
  check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /** Waits until every worker takes part, or one cannot. */
  async joined(): Promise<void> {
    while (this.failure === undefined && [...this.threads].some(({ isReady }) => !isReady)) await this.news();
    this.check();
  }

  async end(): Promise<void> {
    clearInterval(this.watch);
    const ending = [...this.threads];
    this.threads.clear();
    await Promise.all(ending.map(({ worker }) => worker.terminate()));
    for (const { id } of ending) clearAfter(this.hunt.assignment.file, id);
  }

  private start(): void {
    const memory = watchMemory();
    const workerData: Assignment = { ...this.hunt.assignment, memory };
    // Beside this file, as a source or built.
    const entry = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(entry, { workerData });
    const thread: Thread = {
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
    worker.on('message', (news: News) => this.hear(thread, news));
    worker.on('error', (thrown) => (error = thrown));
    worker.on('exit', (code) => this.lose(thread, error ?? `exit code ${code}`));
  }

  private hear(thread: Thread, news: News): void {
    if (!this.threads.has(thread)) return;
    if (news.kind === 'unable') this.fail(news.problem, news.next);
    else if (news.kind === 'ready') thread.isReady = true;
    else this.enter(thread, news);
    this.feed(thread);
    this.wake();
  }

  private enter(thread: Thread, { stretch, tookMs, givesUp }: Extract<News, { kind: 'stretch' }>): void {
    const { ledger, pace } = this.hunt;
    const [range, ...later] = thread.held;
    const rest = restOf(range as Range, stretch.executions);
    ledger.put({ stretch });
    pace.note(stretch, tookMs);
    if (givesUp) ledger.giveBack(rest);
    thread.held = givesUp || rest.count === 0 ? later : [rest, ...later];
  }

  private feed(thread: Thread): void {
    if (!thread.isReady) return;
    while (thread.held.length < RANGES_HELD) {
      const range = this.hunt.ledger.claim(this.hunt.pace.size);
      if (range === undefined) return;
      thread.held.push(range);
      thread.worker.postMessage(range);
    }
  }

  private look(): void {
    for (const thread of this.threads) {
      if (thread.hung || !thread.isHanging()) continue;
      thread.hung = true;
      void thread.worker.terminate();
    }
    const { loadMs, assignment } = this.hunt;
    const isLate = ({ isReady, startedMs }: Thread): boolean => !isReady && performance.now() - startedMs > loadMs;
    if ([...this.threads].some(isLate)) this.fail(`it has not loaded ${assignment.file} within ${loadMs} ms.`, LOADING);
    this.wake();
  }

  /** Its seeds come back. One that had got somewhere is replaced. */
  private lose(thread: Thread, why: unknown): void {
    if (!this.threads.delete(thread)) return;
    clearAfter(this.hunt.assignment.file, thread.id);
    for (const range of thread.held) this.hunt.ledger.giveBack(range);
    if (thread.isReady) this.start();
    // One that hangs in the first execution has to: it did so in the hunt's own thread, and that is found already.
    else if (!thread.hung) this.fail(`it ended while it loaded ${this.hunt.assignment.file}: ${String(why)}.`, LOADING);
    this.wake();
  }

  private fail(problem: string, next: string): void {
    this.failure ??= new BadWorkers(`a worker thread cannot take part: ${problem}`, `${next} ${ALONE}`);
  }
}

const ALONE = 'One worker (--workers 1, workers: 1) will do, too.';
const LOADING = 'Importing the module must do nothing but define the system.';

/** The file that workers load the system from, by its default export. */
export function fileForWorkers(system: System, module: string | undefined): string {
  const { file } = system;
  if (file !== undefined && (module === undefined || modulePath(file) === module)) return file;
  const folders = foldersAbove(file === undefined ? process.cwd() : dirname(file));
  const found =
    module === undefined
      ? undefined
      : [...folders].map((folder) => join(folder, module)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new BadWorkers(
    `workers load the system from its module, and ${module === undefined ? 'where it was defined is not known' : `${module} is not there`}.`,
    `Say with \`module\` which file exports it by default, from the folder of its package. ${ALONE}`,
  );
}
