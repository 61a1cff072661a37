import type { Likeness } from '../../schedule/replay/match.ts';
import type { Failing, Pass } from '../pass.ts';
import { eachInternal } from './events.ts';
import { externalGroups, recoveriesAlone, type Group } from './groups.ts';
import { dropInRound } from './rounds.ts';

/**
 * Drops externals one group at a time, from the last to the first, and recoveries alone. If this finds nothing, no single external can be
 * dropped. Unlike `single` it does not mind how many internal events follow, which are not ours to choose where they appear by themselves.
 */
export const singleExternals = (likeness: Likeness): Pass =>
  oneByOne(({ events, rules }) => [...recoveriesAlone(events, rules), ...externalGroups(events, rules)], likeness);

/** The same for internal events: only where a message that the schedule does not have stays pending. */
export const singleInternals = (likeness: Likeness): Pass => oneByOne(({ events }) => eachInternal(events), likeness);

/** Drops each group alone, thoroughly, in rounds until nothing can be dropped. */
const oneByOne = (groupsOf: (failing: Failing) => readonly Group[], likeness: Likeness): Pass =>
  function* (failing) {
    for (let smallest = failing; ;) {
      const smaller: Failing = yield* dropInRound(smallest, groupsOf(smallest).toReversed(), likeness, 'thoroughly');
      if (smaller === smallest) return smallest;
      smallest = smaller;
    }
  };
