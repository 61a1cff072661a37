import type { Bug } from './bugs.ts';

/** The shortest execution known of a bug, and how it was found: only an exhaustive search would prove that it is. */
interface BestKnown {
  readonly events: number;
  readonly how: 'exhaustive' | 'search' | 'hand';
}

export const bestKnown: Readonly<Record<Exclude<Bug, 'none'>, BestKnown>> = {
  'raft-45': { events: 30, how: 'hand' },
  'raft-46': { events: 30, how: 'hand' },
  'raft-56': { events: 29, how: 'hand' },
  'raft-58a': { events: 58, how: 'hand' },
  'raft-58b': { events: 33, how: 'hand' },
  'raft-42': { events: 40, how: 'hand' },
  'raft-66': { events: 38, how: 'hand' },
};
