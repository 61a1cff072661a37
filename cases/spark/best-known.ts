import type { Bug } from './bug.ts';

/**
 * The shortest execution known of a bug; `best/` has it. `exhaustive`: no execution with the same externals is shorter, all
 * were looked at.
 */
interface BestKnown {
  readonly events: number;
  readonly how: 'exhaustive' | 'search' | 'hand';
}

export const bestKnown: Readonly<Record<Exclude<Bug, 'none'>, BestKnown>> = {
  'spark-2294': { events: 15, how: 'exhaustive' },
  'spark-3150': { events: 10, how: 'exhaustive' },
  'spark-9256': { events: 6, how: 'exhaustive' },
};
