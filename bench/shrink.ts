import type { Bench } from './row.ts';
import { noisy } from './shrink/noisy.ts';

/** What is left of a failing execution when it has been made smaller, beside fast-check. */
export const shrink: Bench = { noisy };
