import { behavior, type Context } from 'culprit';
import type { Claims, Message } from './messages.ts';

type Timer = 'registrationRetry' | 'heartbeat';
type WorkerContext = Context<Message, Timer>;

export interface WorkerState {
  retriesLeft: number;
  /** Heartbeats until it falls silent. Every message restarts the count. */
  beatsLeft: number;
  /** Processes that it has started: executors by their application, and drivers. */
  executors: Map<string, string>;
  drivers: Map<string, string>;
}

export const WORKER_CORES = 2;
const RETRY_MS = 20_000;
const RETRIES = 3;
const HEARTBEAT_MS = 15_000;

/** It falls silent after this many in a row: otherwise an execution without other events would never end. */
const HEARTBEATS = 2;

/** Registers, sends heartbeats, and runs executors and drivers for the master. */
export const worker = behavior<WorkerState, Message, Timer>({
  start(ctx) {
    register(ctx, { executors: [], drivers: [] });
    return { retriesLeft: RETRIES, beatsLeft: HEARTBEATS, executors: new Map(), drivers: new Map() };
  },

  timer(state, timer, ctx) {
    if (timer === 'heartbeat') {
      ctx.send('master', { type: 'heartbeat' });
      if (--state.beatsLeft > 0) ctx.setTimer('heartbeat', HEARTBEAT_MS);
    } else if (state.retriesLeft > 0) {
      state.retriesLeft -= 1;
      register(ctx, claimsOf(state));
    }
  },

  receive(state, message, ctx) {
    state.beatsLeft = HEARTBEATS;
    ctx.setTimer('heartbeat', HEARTBEAT_MS);
    switch (message.type) {
      case 'registeredWorker':
        return ctx.cancelTimer('registrationRetry');
      case 'reconnectWorker':
        state.retriesLeft = RETRIES;
        return register(ctx, claimsOf(state));
      case 'masterChanged':
        ctx.cancelTimer('registrationRetry');
        return ctx.send('master', { type: 'workerSchedulerStateResponse', claims: claimsOf(state) });
      case 'launchExecutor':
        return launchExecutor(state, ctx, message.application);
      case 'killExecutor':
        return shutDown(state.executors, message.application, ctx);
      case 'launchDriver':
        state.drivers.set(message.driver, ctx.spawn('driver', { driver: message.driver, worker: ctx.self }));
        return;
      case 'killDriver':
        return shutDown(state.drivers, message.driver, ctx);
      case 'driverEnded':
        if (state.drivers.delete(message.driver))
          ctx.send('master', { type: 'driverStateChanged', driver: message.driver });
        return;
      default:
        throw new Error(`a worker does not understand ${message.type}`);
    }
  },
});

function register(ctx: WorkerContext, claims: Claims): void {
  ctx.send('master', { type: 'registerWorker', cores: WORKER_CORES, claims });
  ctx.setTimer('registrationRetry', RETRY_MS);
}

const claimsOf = ({ executors, drivers }: WorkerState): Claims => ({
  executors: [...executors.keys()],
  drivers: [...drivers.keys()],
});

function launchExecutor({ executors }: WorkerState, ctx: WorkerContext, application: string): void {
  executors.set(application, ctx.spawn('executor', { application, host: ctx.self }));
  ctx.send('master', { type: 'executorStateChanged', application });
}

function shutDown(processes: Map<string, string>, name: string, ctx: WorkerContext): void {
  const process = processes.get(name);
  if (process === undefined) return;
  processes.delete(name);
  ctx.send(process, { type: 'shutDown' });
}
