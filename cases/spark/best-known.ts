import type { Bug } from './bug.ts';

/** The shortest execution known of a bug, and how it was found: only an exhaustive search would prove that it is. */
interface BestKnown {
  readonly events: number;
  readonly how: 'exhaustive' | 'search' | 'hand';
}

export const bestKnown: Readonly<Record<Exclude<Bug, 'none'>, BestKnown>> = {
  'spark-2294': { events: 15, how: 'hand' },
  'spark-3150': { events: 10, how: 'hand' },
  'spark-9256': { events: 6, how: 'hand' },
};
