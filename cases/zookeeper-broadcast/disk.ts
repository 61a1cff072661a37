import type { Bug } from './bugs.ts';
import { lastZxid, type History, type Zxid } from './history.ts';
import type { Ctx, Server } from './server.ts';

/** The durable data of a server. One write, so that no crash can separate epoch and log. */
interface Stored {
  readonly epoch: number;
  readonly log: History;
}

const LOG = 'log';
const EPOCH = 'epoch';

export function load(ctx: Ctx, bug: Bug): Stored {
  const stored = durable(ctx);
  if (bug === 'zookeeper-1653' && stored.epoch > durableEpoch(ctx)) {
    throw new Error(`the current epoch, ${durableEpoch(ctx)}, is older than that of the snapshot, ${stored.epoch}`);
  }
  return stored;
}

export function store({ epoch, log }: Stored, ctx: Ctx): void {
  void ctx.disk.write(LOG, { epoch, log });
}

/** Continues after this write; false if the server has to wait for it. */
export function isStored(key: string, ctx: Ctx, bug: Bug): boolean {
  // zookeeper-1653: the snapshot that a learner takes is of the new epoch, but the current epoch is written after it.
  if (bug !== 'zookeeper-1653' || durable(ctx).epoch === durableEpoch(ctx)) return true;
  if (key === LOG) void ctx.disk.write(EPOCH, durable(ctx).epoch);
  return false;
}

/** Whether all that the server knows is on its disk. */
export function isSettled({ epoch, log }: Server, ctx: Ctx, bug: Bug): boolean {
  if (bug === 'zookeeper-1653' && durableEpoch(ctx) !== epoch) return false;
  const stored = durable(ctx);
  return stored.epoch === epoch && JSON.stringify(stored.log) === JSON.stringify(log);
}

/** The contents of a disk. */
export const logOn = (disk: ReadonlyMap<string, unknown>): History => (disk.get(LOG) as Stored | undefined)?.log ?? [];

const durable = (ctx: Ctx): Stored => (ctx.disk.peek(LOG) as Stored | undefined) ?? { epoch: 0, log: [] };

const durableEpoch = (ctx: Ctx): number => (ctx.disk.peek(EPOCH) as number | undefined) ?? 0;

export const durableZxid = (ctx: Ctx): Zxid => lastZxid(durable(ctx).log);
