import { quiescence } from './live/quiescence.ts';
import type { Bench } from './row.ts';

/** `quiescence`: whether culprit knows when programs in several runtimes have finished a reaction. */
export const live: Bench = { quiescence };
