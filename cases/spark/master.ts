import { behavior } from 'culprit';
import { adopt, newWorker, runsElsewhere, schedule, type Books, type MasterContext } from './books.ts';
import type { Bug } from './bug.ts';
import type { Claims, Message } from './messages.ts';
import { createFile, removeFiles } from './persistence.ts';
import { beginRecovery, completeRecovery, isComplete } from './recovery.ts';

/**
 * Knows the workers and hands out their cores to drivers and applications. What it accepts is on disk before it answers:
 * while it writes it does nothing else, so it is a blocking process.
 */
export const masterWith = (bug: Bug) =>
  behavior<Books, Message, 'completeRecovery'>({
    blocking: true,
    start: (ctx) => beginRecovery(ctx, bug),
    timer: (books, _timer, ctx) => completeRecovery(books, ctx),
    receive(books, message, ctx) {
      switch (message.type) {
        case 'registerWorker':
          return registerWorker(books, ctx, message);
        case 'heartbeat':
          if (!books.workers.has(ctx.from)) ctx.send(ctx.from, { type: 'reconnectWorker' });
          return;
        case 'registerApplication':
          return registerApplication(books, ctx, bug);
        case 'requestSubmitDriver':
          return submitDriver(books, ctx, message.supervise);
        case 'requestDriverStatus':
          return ctx.reply({ type: 'driverStatusResponse', status: statusOf(books, message.driver) });
        case 'driverStateChanged':
          return driverEnded(books, ctx, message.driver);
        case 'executorStateChanged':
          return ctx.send(message.application, { type: 'executorUpdated', worker: ctx.from });
        case 'masterChangeAcknowledged':
          return applicationAnswered(books, ctx);
        case 'workerSchedulerStateResponse':
          return workerAnswered(books, ctx, message.claims);
        default:
          throw new Error(`the master does not understand ${message.type}`);
      }
    },
  });

type Registration = Extract<Message, { type: 'registerWorker' }>;

async function registerWorker(books: Books, ctx: MasterContext, { cores, claims }: Registration): Promise<void> {
  if (!books.workers.has(ctx.from)) {
    books.workers.set(ctx.from, newWorker(cores, 'alive'));
    adopt(books, ctx, ctx.from, claims);
    await createFile(ctx, 'workers', ctx.from, { cores });
  }
  ctx.send(ctx.from, { type: 'registeredWorker' });
  schedule(books, ctx);
}

async function registerApplication(books: Books, ctx: MasterContext, bug: Bug): Promise<void> {
  // An application asks until it is answered, so it may well have asked before.
  // SPARK-9256: every request is taken for the first, and the file of the second is there already.
  if (!books.applications.has(ctx.from) || bug === 'spark-9256') {
    books.applications.set(ctx.from, { status: 'alive' });
    await createFile(ctx, 'applications', ctx.from, {});
  }
  ctx.send(ctx.from, { type: 'registeredApplication' });
  schedule(books, ctx);
}

async function submitDriver(books: Books, ctx: MasterContext, supervise: boolean): Promise<void> {
  if (books.status !== 'alive') return ctx.reply({ type: 'submitDriverResponse', driver: null });
  // Unlike any driver of an earlier life.
  const driver = `driver-${ctx.restarts}-${++books.submissions}`;
  books.drivers.set(driver, { supervise, placement: { worker: null } });
  await createFile(ctx, 'drivers', driver, { supervise });
  ctx.reply({ type: 'submitDriverResponse', driver });
  schedule(books, ctx);
}

function statusOf({ status, drivers }: Books, driver: string): string {
  if (status !== 'alive') return 'not known yet';
  const info = drivers.get(driver);
  if (info === undefined) return 'ended';
  return info.placement.worker === null ? 'waiting' : `running on ${info.placement.worker}`;
}

async function driverEnded(books: Books, ctx: MasterContext, driver: string): Promise<void> {
  books.workers.get(ctx.from)?.drivers.delete(driver);
  if (!books.drivers.has(driver) || runsElsewhere(books, driver, ctx.from)) return;
  books.drivers.delete(driver);
  await removeFiles(ctx, 'drivers', [driver]);
  schedule(books, ctx);
}

function applicationAnswered(books: Books, ctx: MasterContext): void | Promise<void> {
  const application = books.applications.get(ctx.from);
  if (application === undefined) return ctx.send(ctx.from, { type: 'applicationRemoved' });
  application.status = 'alive';
  if (isComplete(books)) return completeRecovery(books, ctx);
}

function workerAnswered(books: Books, ctx: MasterContext, claims: Claims): void | Promise<void> {
  const worker = books.workers.get(ctx.from);
  if (worker === undefined) return ctx.send(ctx.from, { type: 'reconnectWorker' });
  worker.status = 'alive';
  adopt(books, ctx, ctx.from, claims);
  if (isComplete(books)) return completeRecovery(books, ctx);
}
