import type { Likeness } from '../../schedule/replay/match.ts';
import type { Failing, Pass } from '../pass.ts';
import { externalGroups, recoveriesAlone, type Group } from './groups.ts';
import { dropInRound } from './rounds.ts';

/**
 * Drops externals one group at a time, from the last to the first, and recoveries alone, in rounds until nothing can be dropped. If this
 * finds nothing, no single external can be dropped. Unlike `single` it does not mind how many internal events follow, which are not ours
 * to choose where they appear by themselves.
 */
export const singleExternals = (likeness: Likeness): Pass =>
  function* (failing) {
    for (let smallest = failing; ;) {
      const smaller: Failing = yield* dropInRound(smallest, droppable(smallest), likeness);
      if (smaller === smallest) return smallest;
      smallest = smaller;
    }
  };

const droppable = ({ events, rules }: Failing): readonly Group[] =>
  [...recoveriesAlone(events, rules), ...externalGroups(events, rules)].reverse();
