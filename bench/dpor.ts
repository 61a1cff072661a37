import { orders, workers } from './dpor/register.ts';
import type { Bench } from './row.ts';

/** How fast every execution is gone through. */
export const dpor: Bench = { register: orders, workers };
