import type { Bench } from './row.ts';
import { noisy } from './shrink/noisy.ts';

/** The size of a failing execution after shrinking, beside fast-check. */
export const shrink: Bench = { noisy };
