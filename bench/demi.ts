import { baselines } from './demi/baselines.ts';
import { executions } from './demi/executions.ts';
import { externals } from './demi/externals.ts';
import type { Bench } from './row.ts';

/** The ten bugs of the DEMi study: how far long failures shrink, with culprit and with the methods of the study. */
export const demi: Bench = { executions, baselines, externals };
