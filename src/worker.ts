import { on } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { CulpritError } from './error.ts';
import type { CheckBounds } from './check/check.ts';
import { TaskRun } from './check/parallel/run-job.ts';
import { Executor, type Range, type Stretch, type Terms } from './hunt/executor.ts';
import type { Marks } from './coverage/coverage-sample.ts';
import { showPrinting } from './kernel/user-code/console-capture.ts';
import { watchedBy } from './kernel/user-code/watchdog.ts';
import { restOf } from './hunt/seed-queue.ts';
import { loadSystem } from './system/load-system.ts';
import { reproduce } from './replay/replay.ts';
import { resolveSystem, type ResolvedSystem } from './system/resolve.ts';
import type { Parameters } from './system/define-system.ts';
import { STOP, type Task, type TaskDone } from './check/parallel/job.ts';
import type { Trace } from './trace/format.ts';

/** What a worker is started with. It is a thread of its own, and gets its own system from the module. */
export interface Assignment {
  readonly file: string;
  /** Which of the systems that the file defines is meant; undefined where that cannot be said. */
  readonly nth: number | undefined;
  readonly parameters: Parameters;
  /** An execution: it must come out the same here. */
  readonly probe: Trace;
  /** By which it is watched. */
  readonly memory: Int32Array;
  /** Whether what handlers print is shown as it happens. */
  readonly verbose: boolean;
  /** Seeds to execute, or pieces of a check to explore. */
  readonly work:
    | { readonly kind: 'hunt'; readonly terms: Terms }
    | { readonly kind: 'check'; readonly bounds: CheckBounds };
}

/** What a worker tells. It is told jobs. */
export type News<Answer> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unable'; readonly problem: string; readonly next: string }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** What came of a range, or of its beginning. */
export interface Told {
  readonly stretch: Stretch;
  readonly tookMs: number;
  /** The next execution throws: it is the hunt's own thread that has to see that, and the rest of the range. */
  readonly givesUp: boolean;
}

/** Undefined where it threw: it is the check's own thread that has to see that. */
export type Answered = TaskDone | undefined;

async function run(port: MessagePort, assignment: Assignment): Promise<void> {
  const tell = (news: News<Told | Answered>): void => port.postMessage(news);
  // Before anything is awaited, so that no message is missed.
  const jobs = on(port, 'message') as AsyncIterable<[unknown]>;
  const { work, probe } = assignment;
  watchedBy(assignment.memory);
  if (assignment.verbose) showPrinting();
  try {
    const system = await systemFor(assignment);
    tell({ kind: 'ready' });
    const answer = (came: Told | Answered): void => tell({ kind: 'answer', answer: came });
    if (work.kind === 'hunt')
      await hunt(new Executor(system, work.terms), system.sometimes, jobs as AsyncIterable<[Range]>, answer);
    else {
      const bounds = { ...work.bounds, signal: stoppedBy(port) };
      await check(system, { bounds, probe }, jobs as AsyncIterable<[Task | typeof STOP]>, answer);
    }
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    tell({ kind: 'unable', problem: error.message, next: error.next });
  }
}

/** The system, provided that it is the one that is meant. */
async function systemFor(assignment: Assignment): Promise<ResolvedSystem> {
  const { file, nth, parameters, probe, work } = assignment;
  const { system: given } = await loadSystem(file);
  if (nth !== undefined && given.nth !== nth) throw new OtherSystem(file, nth, given.nth);
  const system = resolveSystem(given, parameters);
  const { seed, options } = probe.header;
  const { handlerMs } = work.kind === 'hunt' ? work.terms : work.bounds;
  await reproduce({ system, module: undefined, seed, ...options, handlerMs }, probe);
  return system;
}

async function hunt(
  executor: Executor,
  sometimes: Marks,
  ranges: AsyncIterable<[Range]>,
  tell: (told: Told) => void,
): Promise<void> {
  // Seeds come in ascending order: what was met before was met at a smaller seed.
  const known = new Set<string>();
  const marks = new Map(sometimes);
  for await (const [range] of ranges) {
    for (let rest = range; rest.count > 0;) {
      const startedMs = performance.now();
      const { stretch, thrown } = await executor.execute(rest, { marks, known });
      const givesUp = thrown !== undefined;
      tell({ stretch, tookMs: performance.now() - startedMs, givesUp });
      if (givesUp) break;
      if (stretch.violated !== undefined) known.add(stretch.violated.fingerprint);
      for (const mark of stretch.seen.reached) marks.delete(mark);
      rest = restOf(rest, stretch.executions);
    }
  }
}

async function check(
  system: ResolvedSystem,
  { bounds, probe }: { readonly bounds: CheckBounds; readonly probe: Trace },
  tasks: AsyncIterable<[Task | typeof STOP]>,
  tell: (answered: Answered) => void,
): Promise<void> {
  for await (const [task] of tasks)
    if (task !== STOP) tell(await new TaskRun(system, bounds, probe).run(task).catch(() => undefined));
}

function stoppedBy(port: MessagePort): AbortSignal {
  const interruption = new AbortController();
  port.on('message', (message) => {
    if (message === STOP) interruption.abort();
  });
  return interruption.signal;
}

/** The module exports a system by default, but it is not the one that is hunted. */
class OtherSystem extends CulpritError {
  readonly code = 'OTHER_SYSTEM';

  constructor(file: string, wanted: number, found: number) {
    super(
      `the system is number ${wanted} of those that ${file} defines, and what it exports by default is number ${found}.`,
      'Workers load the default export: make the system that, or make the difference a parameter.',
    );
  }
}

if (parentPort === null) throw new Error('worker.ts is started by workers.ts, as a thread');
await run(parentPort, workerData as Assignment);
