import { baselines } from './live/baselines.ts';
import { jobs } from './live/jobs.ts';
import { leftovers } from './live/leftovers.ts';
import { quiescence } from './live/quiescence.ts';
import type { Bench } from './row.ts';

/**
 * `baselines`: the ways of the papers to minimize, beside ours, on a fake clock. `jobs`: hunting and minimizing side by side. `quiescence`:
 * whether culprit knows when programs in several runtimes have finished a reaction. `leftovers`: what 100 sessions leave, of which 20 are
 * killed.
 */
export const live: Bench = { baselines, jobs, quiescence, leftovers };
