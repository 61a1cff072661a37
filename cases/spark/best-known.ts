import type { BestKnown } from '../best-known.ts';
import type { Bug } from './bug.ts';

export const bestKnown: Readonly<Record<Exclude<Bug, 'none'>, BestKnown>> = {
  'spark-2294': { events: 15, how: 'exhaustive' },
  'spark-3150': { events: 10, how: 'exhaustive' },
  'spark-9256': { events: 6, how: 'exhaustive' },
};
