import { isInternal, type Event } from '../trace/event.ts';
import { dropping } from './dropping.ts';
import type { Group } from './groups.ts';
import type { Likeness, Pass } from './pass.ts';

/** Drops internal events by the stretch, then one at a time. */
export const internals = (likeness: Likeness): Pass =>
  dropping((events) => singles(events).filter(([at = 0]) => isInternal(events[at] as Event)), likeness, Infinity, 2);

/** One event at a time, whoever brought it about: where this ends, nothing can be dropped alone. */
export const single = (likeness: Likeness): Pass => dropping(singles, likeness);

const singles = (events: readonly Event[]): Group[] => events.map((_event, at) => [at]);
