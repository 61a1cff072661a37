import type { Redis } from 'ioredis';
import { KEPT_SECONDS, short } from './blobs.ts';
import { unpackedText } from './packed.ts';

/** The answer to a job, and the worker that gave it. */
export interface StoredAnswer {
  readonly worker: string;
  readonly packed: string;
}

/** Two workers gave different answers to one job, which must not happen. */
export interface Contradiction {
  readonly job: string;
  readonly workers: readonly [string, string];
}

const keyOf = (job: string): string => `culprit:answer:${job}`;
const contradictionKey = (campaign: string): string => `culprit:contradiction:${short(campaign)}`;

/**
 * Stores the answer to a job. A job that seemed lost is executed twice: the first answer counts, and the second one must be equal.
 * Otherwise the system is not deterministic, which the coordinator hears from the broker.
 */
export async function storeAnswer(redis: Redis, campaign: string, job: string, given: StoredAnswer): Promise<void> {
  const isFirst = await redis.set(keyOf(job), JSON.stringify(given), 'EX', KEPT_SECONDS, 'NX');
  if (isFirst !== null) return;
  const [first] = await fetchAnswers(redis, [job]);
  if (first === undefined || unpackedText(first.packed) === unpackedText(given.packed)) return;
  const contradiction: Contradiction = { job, workers: [first.worker, given.worker] };
  await redis.set(contradictionKey(campaign), JSON.stringify(contradiction), 'EX', KEPT_SECONDS);
}

/** The answers to these jobs, as far as there are any. */
export async function fetchAnswers(redis: Redis, jobs: readonly string[]): Promise<(StoredAnswer | undefined)[]> {
  if (jobs.length === 0) return [];
  const found = await redis.mget(jobs.map(keyOf));
  return found.map((text) => (text === null ? undefined : (JSON.parse(text) as StoredAnswer)));
}

/** Two different answers in this campaign, if there are any. */
export async function fetchContradiction(redis: Redis, campaign: string): Promise<Contradiction | undefined> {
  const text = await redis.get(contradictionKey(campaign));
  return text === null ? undefined : (JSON.parse(text) as Contradiction);
}
