import { isInternal, type Event } from '../../trace/event.ts';
import { halving } from './delta-debugging.ts';
import { dropping } from './dropping.ts';
import { minimizeGroups } from './externals.ts';
import type { Group } from './groups.ts';
import type { Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';

/** Drops runs of at least two internal events. */
export const internals = (likeness: Likeness): Pass => dropping(eachInternal, likeness, { atLeast: 2 });

/** Drops internal events by delta debugging without complements, as DEMi does. */
export const internalsByHalves =
  (likeness: Likeness): Pass =>
  (failing) =>
    minimizeGroups(failing, eachInternal(failing.events), likeness, halving);

/** Drops single events, with any cause: if this finds nothing, the execution is 1-minimal. */
export const single = (likeness: Likeness): Pass => dropping(singles, likeness);

const singles = (events: readonly Event[]): Group[] => events.map((_event, at) => [at]);

/** Each internal event alone. */
export const eachInternal = (events: readonly Event[]): Group[] =>
  singles(events).filter(([at = 0]) => isInternal(events[at] as Event));
