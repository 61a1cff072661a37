import type { BestKnown } from '../best-known.ts';
import type { Bug } from './bugs.ts';

export const bestKnown: Readonly<Record<Exclude<Bug, 'none'>, BestKnown>> = {
  'raft-45': { events: 23, how: 'search' },
  'raft-46': { events: 21, how: 'search' },
  'raft-56': { events: 20, how: 'exhaustive' },
  'raft-58a': { events: 40, how: 'hand' },
  'raft-58b': { events: 25, how: 'search' },
  'raft-42': { events: 25, how: 'search' },
  'raft-66': { events: 26, how: 'search' },
};
