import { baselines } from './live/baselines.ts';
import { jobs } from './live/jobs.ts';
import type { Bench } from './row.ts';

/** `baselines`: the ways of the papers to minimize, beside ours, on a fake clock. `jobs`: hunting and minimizing side by side. */
export const live: Bench = { baselines, jobs };
