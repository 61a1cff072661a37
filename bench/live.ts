import { leftovers } from './live/leftovers.ts';
import { quiescence } from './live/quiescence.ts';
import type { Bench } from './row.ts';

/**
 * `quiescence`: whether culprit knows when programs in several runtimes have finished a reaction. `leftovers`: what 100 sessions leave,
 * of which 20 are killed.
 */
export const live: Bench = { quiescence, leftovers };
