import type { Bench } from './row.ts';
import { bugs } from './samc/bugs.ts';
import { missed } from './samc/missed.ts';
import { redundancy } from './samc/redundancy.ts';

/** The two tables of the SAMC study, and what its heuristics miss, for the models in `cases/`. */
export const samc: Bench = { bugs, redundancy, missed };
