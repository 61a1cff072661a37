import { bugs } from './hunt/bugs.ts';
import { opaque } from './hunt/opaque.ts';
import { schedules } from './hunt/schedules.ts';
import { workers } from './hunt/workers.ts';
import type { Bench } from './row.ts';

/** How fast a hunt tries executions, and how soon it finds what there is. */
export const hunt: Bench = { schedules, opaque, workers, bugs };
