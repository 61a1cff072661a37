import type { Context } from 'culprit';
import type { Claims, Message } from './messages.ts';

/** What the master believes about the cluster: everything by name. */
export interface Books {
  status: 'alive' | 'recovering';
  workers: Map<string, WorkerInfo>;
  drivers: Map<string, DriverInfo>;
  applications: Map<string, ApplicationInfo>;
  submissions: number;
}

/** `unknown`: read from disk, and not heard of since. */
export interface WorkerInfo {
  status: 'alive' | 'unknown';
  cores: number;
  /** What it runs: executors by their application, and drivers. Each takes a core. */
  executors: Set<string>;
  drivers: Set<string>;
}

export interface DriverInfo {
  supervise: boolean;
  /** Where it runs: nowhere, while it waits for a worker. */
  placement: { worker: string | null };
}

export interface ApplicationInfo {
  status: 'alive' | 'unknown';
}

export type MasterContext = Context<Message, 'completeRecovery'>;

export const newWorker = (cores: number, status: WorkerInfo['status']): WorkerInfo => ({
  status,
  cores,
  executors: new Set(),
  drivers: new Set(),
});

/** Gives free cores to those who wait for one, drivers first. */
export function schedule(books: Books, ctx: MasterContext): void {
  if (books.status !== 'alive') return;
  for (const [driver, info] of books.drivers)
    if (info.placement.worker === null) launchDriver(books, ctx, driver, info);
  for (const application of books.applications.keys()) launchExecutors(books, ctx, application);
}

function launchDriver(books: Books, ctx: MasterContext, driver: string, info: DriverInfo): void {
  const [free] = freeWorkers(books);
  if (free === undefined) return;
  const [worker, { drivers }] = free;
  drivers.add(driver);
  info.placement = { worker };
  ctx.send(worker, { type: 'launchDriver', driver });
}

/** An application gets one executor on every worker that has a core for it. */
function launchExecutors(books: Books, ctx: MasterContext, application: string): void {
  for (const [worker, { executors }] of freeWorkers(books)) {
    if (executors.has(application)) continue;
    executors.add(application);
    ctx.send(worker, { type: 'launchExecutor', application });
    ctx.send(application, { type: 'executorAdded', worker });
  }
}

const freeWorkers = ({ workers }: Books): [string, WorkerInfo][] =>
  [...workers].filter(
    ([, { status, cores, executors, drivers }]) => status === 'alive' && cores > executors.size + drivers.size,
  );

/** Takes over the processes of a worker, and has it end those that are no longer needed. */
export function adopt(books: Books, ctx: MasterContext, worker: string, claims: Claims): void {
  const { executors, drivers } = books.workers.get(worker) as WorkerInfo;
  for (const application of claims.executors) {
    if (books.applications.has(application)) executors.add(application);
    else ctx.send(worker, { type: 'killExecutor', application });
  }
  for (const driver of claims.drivers) {
    const info = books.drivers.get(driver);
    if (info === undefined || runsElsewhere(books, driver, worker)) ctx.send(worker, { type: 'killDriver', driver });
    else {
      drivers.add(driver);
      info.placement = { worker };
    }
  }
}

/** Whether another worker has been given the driver. */
export const runsElsewhere = ({ workers }: Books, driver: string, worker: string): boolean =>
  [...workers].some(([name, { drivers }]) => name !== worker && drivers.has(driver));
