import type { Likeness } from '../../schedule/replay/match.ts';
import { without, type Failing, type Pass } from '../pass.ts';
import { externalGroups, recoveriesAlone, type Group } from './groups.ts';

/**
 * Drops externals one group at a time, from the last to the first, and recoveries alone. If this finds nothing, no single external can
 * be dropped. Unlike `single` it does not mind how many internal events follow, which are not ours to choose where they appear by
 * themselves.
 */
export const singleExternals = (likeness: Likeness): Pass =>
  function* (failing) {
    let smallest = failing;
    for (let left = droppable(smallest).length; left > 0; left--) {
      const group = droppable(smallest)[left - 1];
      if (group === undefined) continue;
      smallest = (yield* without(smallest, new Set(group), likeness)) ?? smallest;
    }
    return smallest;
  };

const droppable = ({ events, rules }: Failing): readonly Group[] => [
  ...recoveriesAlone(events, rules),
  ...externalGroups(events, rules),
];
