import type { Judgment, ProcessView } from 'culprit';
import type { Client } from './client.ts';

/**
 * A quorum read returns the newest column that a quorum acknowledged before it; the client uses the first that it gets.
 */
export function readsNewest({ state }: ProcessView<Client>): Judgment {
  if (state === undefined || state.result === null || state.result[0] === state.acknowledged) return true;
  return `the client reads ${state.result[0] ?? 'nothing'}, but ${state.acknowledged} was acknowledged before it asked`;
}
