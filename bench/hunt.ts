import { schedules } from './hunt/schedules.ts';
import { workers } from './hunt/workers.ts';
import type { Bench } from './row.ts';

/** How fast a hunt tries executions. */
export const hunt: Bench = { schedules, workers };
