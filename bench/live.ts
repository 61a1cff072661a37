import { jobs } from './live/jobs.ts';
import type { Bench } from './row.ts';

/** `jobs`: minimizing side by side. */
export const live: Bench = { jobs };
