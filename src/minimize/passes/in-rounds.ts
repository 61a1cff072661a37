import type { Likeness } from '../../schedule/replay/match.ts';
import type { Event } from '../../trace/event.ts';
import type { Failing, Pass } from '../pass.ts';
import { eachInternal } from './events.ts';
import { externalGroups, type Group } from './groups.ts';
import { dropInRound } from './rounds.ts';

/** A round has at least so many candidates, unless there are fewer groups: fewer would leave threads idle. */
const CANDIDATES_MIN = 8;

/** Drops externals in rounds. Ends when no single group seems droppable. */
export const externalsInRounds = (likeness: Likeness): Pass =>
  inRounds((events, { rules }) => externalGroups(events, rules), likeness);

/** The same for internal events: only where a message that the schedule does not have stays pending. */
export const internalsInRounds = (likeness: Likeness): Pass => inRounds(eachInternal, likeness);

/**
 * Drops ever smaller parts of neighboring groups, from the last to the first, each of them alone. Of n groups that are all needed it
 * asks about 3n candidates at most.
 */
const inRounds = (
  groupsIn: (events: readonly Event[], failing: Failing) => readonly Group[],
  likeness: Likeness,
): Pass =>
  function* (failing) {
    const groupsOf = (one: Failing): readonly Group[] => groupsIn(one.events, one);
    let smallest = failing;
    for (let size = sizeFor(groupsOf(failing).length); size >= 1;) {
      const smaller: Failing = yield* dropInRound(smallest, parts(groupsOf(smallest), size), likeness, 'quickly');
      const isDone = size === 1 && smaller === smallest;
      smallest = smaller;
      size = isDone ? 0 : Math.max(1, Math.min(size >> 1, sizeFor(groupsOf(smallest).length)));
    }
    return smallest;
  };

const sizeFor = (groups: number): number => Math.max(1, Math.floor(groups / CANDIDATES_MIN));

/** Parts of so many neighboring groups, the last first. */
function parts(groups: readonly Group[], size: number): readonly Group[] {
  const found: Group[] = [];
  for (let end = groups.length; end > 0; end -= size) found.push(groups.slice(Math.max(0, end - size), end).flat());
  return found;
}
