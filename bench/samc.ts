import type { Bench } from './row.ts';
import { bugs } from './samc/bugs.ts';
import { redundancy } from './samc/redundancy.ts';

/** The two tables of the SAMC study, for the models in `cases/`. */
export const samc: Bench = { bugs, redundancy };
