import { orders } from './dpor/register.ts';
import type { Bench } from './row.ts';

/** How fast a check explores all executions. */
export const dpor: Bench = { register: orders };
