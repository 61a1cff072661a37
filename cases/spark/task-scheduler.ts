import type { Context } from 'culprit';
import type { Bug } from './bug.ts';
import { isNearer, levelOf, levels, stragglers, type Executor, type Job, type Level, type Task } from './job.ts';
import type { AttemptId, Message } from './messages.ts';

export type SchedulerTimer = 'revive' | 'speculation';

/** The part of an application that decides which task runs where. */
export interface SchedulerState {
  /** Executors that have registered, by name. */
  executors: Map<string, Executor>;
  /** Jobs that are not done, by number, the oldest first. */
  jobs: Map<number, Job>;
  timers: Set<SchedulerTimer>;
  /** What the last event launched, for invariants. */
  launched: Launch[];
}

export interface Launch extends AttemptId {
  executor: string;
  level: Level;
}

type SchedulerContext = Context<Message, SchedulerTimer>;

/** How long a job waits for a core near its data before it takes one far away, and how often it looks. */
const LOCALITY_WAIT_MS = 3_000;
const REVIVE_MS = 1_000;

/** How long the only copy of a task may run before a second one is worth it, and how often that is looked at. */
const SPECULATION_MS = 100;

/** Offers free cores to the jobs, the oldest first; each takes those near its data before it looks further. */
export function resourceOffers(state: SchedulerState, ctx: SchedulerContext, bug: Bug): void {
  for (const [number, job] of state.jobs) {
    for (const farthest of levels) {
      if (!isNearer(farthest, 'ANY') && ctx.nowMs - job.lastLaunchMs < LOCALITY_WAIT_MS) break;
      for (const executor of state.executors.values()) {
        let found: Found | undefined;
        while ((found = findTask(job, executor, farthest, bug))) launch(state, ctx, number, job, found, executor);
      }
    }
  }
  setTimers(state, ctx);
}

interface Found {
  readonly task: Task;
  readonly level: Level;
}

/** The task that is nearest to its data on this executor, among those that are no farther than allowed. */
function findTask(job: Job, executor: Executor, farthest: Level, bug: Bug): Found | undefined {
  if (executor.free === 0) return undefined;
  for (const level of levels) {
    if (!isAllowed(level, farthest, bug)) continue;
    const task = job.tasks.find((one) => levelOf(one, executor) === level);
    if (task !== undefined) return { task, level };
  }
  return undefined;
}

function isAllowed(level: Level, farthest: Level, bug: Bug): boolean {
  // SPARK-2294: what may run anywhere is offered at every level. So it is found at the first level already, and takes
  // the core before anybody has looked for tasks whose data is right there.
  if (bug === 'spark-2294' && (level === 'NO_PREF' || level === 'SPECULATIVE')) return true;
  return !isNearer(farthest, level);
}

function launch(
  { launched }: SchedulerState,
  ctx: SchedulerContext,
  number: number,
  job: Job,
  { task, level }: Found,
  executor: Executor,
): void {
  const id = { job: number, task: job.tasks.indexOf(task), attempt: task.attempts.length };
  task.attempts.push({ host: executor.host, launchedMs: ctx.nowMs, lost: false });
  executor.free -= 1;
  job.lastLaunchMs = ctx.nowMs;
  launched.push({ ...id, executor: executor.name, level });
  ctx.send(executor.name, { type: 'launchTask', id });
}

/** Marks tasks that take long: they may have a second copy. */
export function markStragglers({ jobs }: SchedulerState, nowMs: number): void {
  for (const task of [...jobs.values()].flatMap(stragglers)) {
    task.speculatable = task.attempts.every(({ launchedMs }) => nowMs - launchedMs >= SPECULATION_MS);
  }
}

/** Timers run only while time could change something: otherwise no execution would ever end. */
function setTimers(state: SchedulerState, ctx: SchedulerContext): void {
  const jobs = [...state.jobs.values()];
  const isTooPatient = (executor: Executor): boolean =>
    executor.free > 0 && jobs.some(({ tasks }) => tasks.some((task) => levelOf(task, executor) !== undefined));
  setWhere([...state.executors.values()].some(isTooPatient), 'revive', REVIVE_MS, state, ctx);
  setWhere(jobs.flatMap(stragglers).length > 0, 'speculation', SPECULATION_MS, state, ctx);
}

function setWhere(
  isOfUse: boolean,
  timer: SchedulerTimer,
  ms: number,
  { timers }: SchedulerState,
  ctx: SchedulerContext,
): void {
  if (isOfUse === timers.has(timer)) return;
  if (isOfUse) {
    timers.add(timer);
    ctx.setTimer(timer, ms);
  } else {
    timers.delete(timer);
    ctx.cancelTimer(timer);
  }
}
