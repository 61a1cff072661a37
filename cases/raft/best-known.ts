import type { Bug } from './bugs.ts';

/**
 * The shortest execution known of a bug, with any number of members; `best/` has it. `exhaustive`: no execution with the
 * same externals is shorter, all were looked at. `search`: the shortest of many that were minimised. `hand`: thought out,
 * and no search came near it. Only the first proves anything.
 */
interface BestKnown {
  readonly events: number;
  readonly how: 'exhaustive' | 'search' | 'hand';
}

export const bestKnown: Readonly<Record<Exclude<Bug, 'none'>, BestKnown>> = {
  'raft-45': { events: 23, how: 'search' },
  'raft-46': { events: 21, how: 'search' },
  'raft-56': { events: 20, how: 'exhaustive' },
  'raft-58a': { events: 40, how: 'hand' },
  'raft-58b': { events: 25, how: 'search' },
  'raft-42': { events: 25, how: 'search' },
  'raft-66': { events: 26, how: 'search' },
};
