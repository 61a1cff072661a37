import { bugs } from './hunt/bugs.ts';
import { opaque } from './hunt/opaque.ts';
import { schedules } from './hunt/schedules.ts';
import type { Bench } from './row.ts';

/** How many executions per second a hunt tries, and how soon it finds known bugs. */
export const hunt: Bench = { schedules, opaque, bugs };
