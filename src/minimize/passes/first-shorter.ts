import type { Likeness } from '../../schedule/replay/match.ts';
import { candidateWithout, type Asking, type Failing } from '../pass.ts';
import type { Group } from './groups.ts';
import { inTurn } from './in-turn.ts';

/** The first shorter execution that fails without one of these groups of events. */
export function* firstShorter(
  failing: Failing,
  groups: Iterable<Group>,
  likeness: Likeness,
): Asking<Failing | undefined> {
  const candidateOf = (group: Group) => candidateWithout(failing, new Set(group), likeness);
  for (const [, candidate] of inTurn(groups, candidateOf)) {
    const { failing: smaller } = yield candidate;
    if (smaller !== undefined && smaller.events.length < failing.events.length) return smaller;
  }
  return undefined;
}
