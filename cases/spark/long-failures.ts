import type { Parameter } from 'culprit';
import type { Bug } from './bug.ts';

interface LongFailures {
  /** Parameters besides the bug: about as many externals as in the study. */
  readonly set: Readonly<Record<string, Parameter>>;
  /** By seed of the strategy `random`: how many events there are until something is violated. */
  readonly events: Readonly<Record<number, number>>;
}

/** Long executions that fail, as raw material for minimization: of at least 300 events, as in the study. */
export const longFailures: Readonly<Record<Exclude<Bug, 'none'>, LongFailures>> = {
  'spark-2294': {
    set: { workers: 15, jobs: 15, failovers: 0 },
    events: { 3: 492, 11: 398, 14: 418, 28: 424, 36: 387 },
  },
  'spark-3150': {
    set: { workers: 12, jobs: 4, drivers: 3 },
    events: { 6: 309, 26: 351, 35: 359, 38: 308, 40: 320 },
  },
  'spark-9256': {
    set: { applications: 2, workers: 16, jobs: 1, failovers: 0 },
    events: { 5: 350, 8: 339, 11: 350, 26: 412, 27: 414 },
  },
};
