import { baselines } from './demi/baselines.ts';
import { executions } from './demi/executions.ts';
import { externals } from './demi/externals.ts';
import type { Bench } from './row.ts';

/** The ten bugs of the DEMi study: how small long failures become, by us and by the methods of the study. */
export const demi: Bench = { executions, baselines, externals };
