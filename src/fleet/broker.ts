import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type * as BullMQ from 'bullmq';
import type * as IORedis from 'ioredis';
import { CulpritError } from '../error.ts';
import { mustServe } from './broker-health.ts';

/** A broker that cannot be used, and why. */
export class BadBroker extends CulpritError {
  readonly code = 'BAD_BROKER';
}

/** A connection to a Redis that machines share. */
export interface Broker {
  readonly redis: IORedis.Redis;
  readonly bullmq: typeof BullMQ;
  /** Where it is, without a password. */
  readonly address: string;
}

/** Connects, and refuses a broker that could lose jobs. */
export async function connectBroker(url: string): Promise<Broker> {
  const address = addressOf(url);
  const bullmq = optionalPackage('bullmq') as typeof BullMQ;
  const { Redis } = optionalPackage('ioredis') as typeof IORedis;
  let isServing = false;
  let lastError: Error | undefined;
  const redis = new Redis(url, {
    lazyConnect: true,
    // BullMQ needs it: a command waits until the broker is back.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isServing ? Math.min(RETRY_MS * times, RETRY_MS_MAX) : null),
  });
  redis.on('error', (error) => (lastError = error));
  try {
    await redis.connect();
    mustServe(await redis.info(), address);
    isServing = true;
    return { redis, bullmq, address };
  } catch (error) {
    redis.disconnect();
    throw error instanceof CulpritError ? error : unusable(address, lastError ?? error);
  }
}

/** How long to wait before a lost connection is tried again: longer each time. */
const RETRY_MS = 100;
const RETRY_MS_MAX = 2_000;

/** How long a process that ends waits for a broker that is away. */
const LEAVE_MS = 5_000;

/** Waits for work that needs the broker, until the broker has been away for some seconds. */
export async function unlessAway({ redis }: Broker, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  void work.finally(() => (isDone = true)).catch(() => undefined);
  for (let hereMs = performance.now(); !isDone && performance.now() - hereMs < LEAVE_MS; await delay(LOOK_MS))
    if (redis.status === 'ready') hereMs = performance.now();
}

/** How often it is looked whether work is done. */
const LOOK_MS = 20;

const requireFromHere = createRequire(import.meta.url);

function optionalPackage(name: string): unknown {
  try {
    return requireFromHere(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new BadBroker(
      `several machines need the package ${name}, which is not installed.`,
      'Install both: npm install bullmq ioredis',
    );
  }
}

/** The address without user and password. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.host === '')
    throw new BadBroker(
      'the address of the broker is no address of a Redis.',
      'Give an address such as redis://127.0.0.1:6379, or rediss://user:password@host:6379.',
    );
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

/** Replies of Redis to a client without the right password. */
const REFUSED = /NOAUTH|WRONGPASS|NOPERM|invalid password|without any password/;

function unusable(address: string, error: unknown): BadBroker {
  const { message, code } = error as NodeJS.ErrnoException;
  if (REFUSED.test(message))
    return new BadBroker(
      `the broker at ${address} refuses this user or password: ${message}.`,
      'Give them in the address: redis://user:password@host:6379, or redis://:password@host:6379.',
    );
  return new BadBroker(
    `the broker at ${address} is not reachable: ${code ?? message}.`,
    'Start it: redis-server --appendonly yes --maxmemory-policy noeviction',
  );
}
