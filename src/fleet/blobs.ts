import type { Redis } from 'ioredis';
import { CulpritError } from '../error.ts';
import { sha256 } from './packed.ts';

/** How long answers are kept at the broker: a command that is started again within a day finds them. */
export const KEPT_SECONDS = 86_400;

/** Systems and large jobs are kept longer than any campaign takes. */
const BLOB_SECONDS = 7 * KEPT_SECONDS;

/** Something at the broker is missing, or is not what its digest says. */
class BadBlob extends CulpritError {
  readonly code = 'BAD_BLOB';
}

const keyOf = (digest: string): string => `culprit:blob:${digest}`;

/** Stores text under its SHA-256, which it returns. */
export async function storeBlob(redis: Redis, text: string): Promise<string> {
  const digest = sha256(text);
  await redis.set(keyOf(digest), text, 'EX', BLOB_SECONDS);
  return digest;
}

/** The text with this SHA-256. Text that was changed is refused: it may be code. */
export async function fetchBlob(redis: Redis, digest: string, what: string): Promise<string> {
  const text = await redis.get(keyOf(digest));
  if (text === null)
    throw new BadBlob(`${what} ${short(digest)} is no longer at the broker.`, 'Start the command again.');
  const found = sha256(text);
  if (found === digest) return text;
  throw new BadBlob(
    `${what} ${short(digest)} was changed at the broker: its SHA-256 is ${short(found)}.`,
    'Find out who else can write to that Redis, then start the command again.',
  );
}

/** As much of a digest as people compare. */
export const short = (digest: string): string => digest.slice(0, 16);
