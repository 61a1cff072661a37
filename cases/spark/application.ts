import { behavior, type Context } from 'culprit';
import type { Bug } from './bug.ts';
import { newTask, type Cached } from './job.ts';
import type { Message, TaskDescription } from './messages.ts';
import { markStragglers, resourceOffers, type SchedulerState, type SchedulerTimer } from './task-scheduler.ts';

export interface ApplicationState extends SchedulerState {
  isRegistered: boolean;
  retriesLeft: number;
  /** What the master says about its executors, by worker. */
  promised: Map<string, 'added' | 'running'>;
  /** How many jobs it was ever given. */
  submitted: number;
  /** Partitions that executors have in memory. */
  cache: Map<string, Cached>;
}

type Timer = 'registrationRetry' | SchedulerTimer;

const EXECUTOR_CORES = 1;
const RETRY_MS = 20_000;
const RETRIES = 3;

/** A program that runs jobs: it registers with the master, gets executors on the workers, and gives them tasks. */
export const applicationWith = (bug: Bug) =>
  behavior<ApplicationState, Message, Timer>({
    start(ctx) {
      register(ctx);
      return {
        isRegistered: false,
        retriesLeft: RETRIES,
        promised: new Map(),
        executors: new Map(),
        jobs: new Map(),
        submitted: 0,
        cache: new Map(),
        timers: new Set(),
        launched: [],
      };
    },

    timer(state, timer, ctx) {
      state.launched = [];
      if (timer === 'registrationRetry') return retry(state, ctx);
      state.timers.delete(timer);
      if (timer === 'speculation') markStragglers(state, ctx.nowMs);
      resourceOffers(state, ctx, bug);
    },

    receive(state, message, ctx) {
      state.launched = [];
      switch (message.type) {
        case 'registeredApplication':
          state.isRegistered = true;
          return ctx.cancelTimer('registrationRetry');
        case 'masterChanged':
          return ctx.send('master', { type: 'masterChangeAcknowledged' });
        case 'applicationRemoved':
          // It answered too late. Executors that were shut down for it will say so when they are given a task.
          state.isRegistered = false;
          state.retriesLeft = RETRIES;
          return register(ctx);
        case 'executorAdded':
        case 'executorUpdated':
          state.promised.set(message.worker, message.type === 'executorAdded' ? 'added' : 'running');
          return;
        case 'retrieveProperties':
          return ctx.reply({ type: 'properties', cores: EXECUTOR_CORES });
        case 'registerExecutor': {
          const { host, cores } = message;
          state.executors.set(ctx.from, { name: ctx.from, host, cores, free: cores });
          return resourceOffers(state, ctx, bug);
        }
        case 'submitJob':
          submit(state, message.tasks, ctx.nowMs);
          return resourceOffers(state, ctx, bug);
        case 'statusUpdate':
          update(state, message);
          return resourceOffers(state, ctx, bug);
        default:
          throw new Error(`an application does not understand ${message.type}`);
      }
    },
  });

function register(ctx: Context<Message, Timer>): void {
  ctx.send('master', { type: 'registerApplication' });
  ctx.setTimer('registrationRetry', RETRY_MS);
}

function retry(state: ApplicationState, ctx: Context<Message, Timer>): void {
  if (state.retriesLeft === 0) return;
  state.retriesLeft -= 1;
  register(ctx);
}

function submit(state: ApplicationState, descriptions: readonly TaskDescription[], nowMs: number): void {
  const cachedOf = ({ partition }: TaskDescription) => (partition === null ? undefined : state.cache.get(partition));
  state.submitted += 1;
  state.jobs.set(state.submitted, {
    tasks: descriptions.map((task) => newTask(task, cachedOf(task))),
    lastLaunchMs: nowMs,
  });
}

type StatusUpdate = Extract<Message, { type: 'statusUpdate' }>;

function update(state: ApplicationState, { executor, id, status }: StatusUpdate): void {
  const job = state.jobs.get(id.job);
  const task = job?.tasks[id.task];
  switch (status) {
    case 'running':
      return;
    case 'lost': {
      state.executors.delete(executor);
      const attempt = task?.attempts[id.attempt];
      if (attempt !== undefined) attempt.lost = true;
      return;
    }
    case 'finished': {
      // A second copy may find its task finished, or even the job gone. Its core is free again all the same.
      const ran = state.executors.get(executor);
      if (ran !== undefined) ran.free += 1;
      if (job === undefined || task === undefined) return;
      task.finished = true;
      if (ran !== undefined && task.partition !== null) state.cache.set(task.partition, { executor, host: ran.host });
      if (job.tasks.every(({ finished }) => finished)) state.jobs.delete(id.job);
    }
  }
}
