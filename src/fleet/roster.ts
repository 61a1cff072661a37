import type { Redis } from 'ioredis';
import { version } from '../files/version.ts';
import { nodeMajor } from './campaign.ts';

/** What a worker says about itself. */
export interface WorkerStatement {
  readonly name: string;
  readonly culprit: string;
  readonly node: number;
  readonly platform: string;
  readonly threads: number;
}

/** How often a worker says that it is there, and for how long that counts. */
export const BEAT_MS = 2_000;
const THERE_MS = 8_000;

/** The names of all workers, also of some that are gone. */
const NAMES = 'culprit:workers';
const keyOf = (name: string): string => `culprit:worker:${name}`;

/** Says that a worker is there. */
export async function signIn(redis: Redis, statement: WorkerStatement): Promise<void> {
  await redis.set(keyOf(statement.name), JSON.stringify(statement), 'PX', THERE_MS);
  await redis.sadd(NAMES, statement.name);
}

/** Says that a worker is leaving. */
export async function signOff(redis: Redis, name: string): Promise<void> {
  await redis.srem(NAMES, name);
  await redis.del(keyOf(name));
}

/** The workers that are there: those that can take jobs of this command, and the others. */
export interface Roster {
  readonly fit: readonly WorkerStatement[];
  readonly unfit: readonly WorkerStatement[];
}

export async function fetchRoster(redis: Redis): Promise<Roster> {
  const names = await redis.smembers(NAMES);
  if (names.length === 0) return { fit: [], unfit: [] };
  const found = await redis.mget(names.map(keyOf));
  const gone = names.filter((_, at) => found[at] === null);
  if (gone.length > 0) await redis.srem(NAMES, ...gone);
  const there = found.flatMap((text) => (typeof text === 'string' ? [JSON.parse(text) as WorkerStatement] : []));
  return { fit: there.filter(isFit), unfit: there.filter((worker) => !isFit(worker)) };
}

/** Another version could execute differently. */
const isFit = ({ culprit, node }: WorkerStatement): boolean => culprit === version && node === nodeMajor;
