import type { ApplicationInfo, Books, DriverInfo, MasterContext } from './books.ts';
import { newWorker, schedule } from './books.ts';
import type { Bug } from './bug.ts';
import { filesIn, removeFiles, type Persisted } from './persistence.ts';

/** Workers and applications that have not answered by then are given up. */
const RECOVERY_MS = 60_000;

/** In its first life a master finds nothing on its disk. Later it finds names, and asks who of them is still there. */
export function beginRecovery(ctx: MasterContext, bug: Bug): Books {
  const workers = Object.entries(filesIn(ctx.disk, 'workers'));
  const drivers = Object.entries(filesIn(ctx.disk, 'drivers'));
  const applications = Object.keys(filesIn(ctx.disk, 'applications'));
  const isFresh = workers.length + drivers.length + applications.length === 0;
  for (const name of [...applications, ...workers.map(([worker]) => worker)]) ctx.send(name, { type: 'masterChanged' });
  if (!isFresh) ctx.setTimer('completeRecovery', RECOVERY_MS);
  return {
    status: isFresh ? 'alive' : 'recovering',
    workers: new Map(workers.map(([name, { cores }]) => [name, newWorker(cores, 'unknown')])),
    drivers: new Map(drivers.map(([name, record]) => [name, driverFrom(record, bug)])),
    applications: new Map(applications.map((name): [string, ApplicationInfo] => [name, { status: 'unknown' }])),
    submissions: 0,
  };
}

/** A driver is its record, and a placement that is known again when its worker claims it. */
function driverFrom(record: Persisted['drivers'], bug: Bug): DriverInfo {
  // SPARK-3150: the record is taken for the whole driver. The placement is then not even empty but missing, which has
  // no effect as long as the worker that runs the driver answers.
  if (bug === 'spark-3150') return record as DriverInfo;
  return { ...record, placement: { worker: null } };
}

/** The last one we waited for has answered, or time is up. */
export async function completeRecovery(books: Books, ctx: MasterContext): Promise<void> {
  ctx.cancelTimer('completeRecovery');
  const silentWorkers = unknownIn(books.workers);
  const silentApplications = unknownIn(books.applications);
  for (const worker of silentWorkers) books.workers.delete(worker);
  for (const application of silentApplications) removeApplication(books, ctx, application);
  // No worker claimed these: they are to run again, or to be forgotten.
  const unclaimed = [...books.drivers].filter(([, { placement }]) => placement.worker === null);
  const ended = unclaimed.filter(([, { supervise }]) => !supervise).map(([name]) => name);
  for (const driver of ended) books.drivers.delete(driver);
  await removeFiles(ctx, 'workers', silentWorkers);
  await removeFiles(ctx, 'applications', silentApplications);
  await removeFiles(ctx, 'drivers', ended);
  books.status = 'alive';
  schedule(books, ctx);
}

export const isComplete = ({ status, workers, applications }: Books): boolean =>
  status === 'recovering' && unknownIn(workers).length + unknownIn(applications).length === 0;

const unknownIn = (all: ReadonlyMap<string, { status: string }>): string[] =>
  [...all].filter(([, { status }]) => status === 'unknown').map(([name]) => name);

function removeApplication(books: Books, ctx: MasterContext, application: string): void {
  books.applications.delete(application);
  for (const [worker, { executors }] of books.workers) {
    if (executors.delete(application)) ctx.send(worker, { type: 'killExecutor', application });
  }
}
