import { workers as minimize } from './demi/workers.ts';
import { workers as check } from './dpor/register.ts';
import { workers as hunt } from './hunt/workers.ts';
import type { Bench } from './row.ts';

/** How much faster two threads are than one. */
export const cores: Bench = { hunt, check, minimize };
