import type { Bench } from './row.ts';
import { bugs } from './samc/bugs.ts';
import { missed } from './samc/missed.ts';
import { redundancy } from './samc/redundancy.ts';

/** The two tables of the SAMC study, and the worlds that its heuristics miss, for the models in `cases/`. */
export const samc: Bench = { bugs, redundancy, missed };

/** Printed above the tables. */
export const samcRemark =
  'Our models are smaller than the real systems that the SAMC study executed: its counts and ours are not comparable as such.';
