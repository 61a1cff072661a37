import type { Bench } from './row.ts';
import { held, passed } from './tcp/proxy.ts';

/** The cost of standing between two programs: `passed` beside a direct connection, and `held`, where each frame is an event. */
export const tcp: Bench = { passed, held };
