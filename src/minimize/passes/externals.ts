import { ddmin, ddmin1999, halving, type Subsets } from './delta-debugging.ts';
import { dropping } from './dropping.ts';
import { externalGroups, type Group } from './groups.ts';
import { without, type Asking, type Failing, type Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';

const algorithms = { ddmin, ddmin1999, halving };

/** Drops externals by delta debugging. */
export const externals =
  (likeness: Likeness, how: keyof typeof algorithms): Pass =>
  (failing) =>
    minimizeGroups(failing, externalGroups(failing.events, failing.rules), likeness, algorithms[how]);

/** The same, but from the last to the first in ever smaller parts, which needs fewer schedules for long executions. */
export const environment =
  (likeness: Likeness): Pass =>
  (failing) =>
    dropping((events) => externalGroups(events, failing.rules), likeness)(failing);

/** Answers the questions of delta debugging with executions. Groups refer to events of the initial execution. */
export function* minimizeGroups(
  failing: Failing,
  groups: readonly Group[],
  likeness: Likeness,
  minimize: (groups: readonly Group[]) => Subsets<Group>,
): Asking<Failing> {
  let smallest = failing;
  const subsets = minimize(groups);
  for (let asked = subsets.next(); asked.done !== true;) {
    const kept = new Set(asked.value);
    const dropped = new Set(groups.filter((group) => !kept.has(group)).flat());
    const smaller = yield* without(failing, dropped, likeness);
    if (smaller !== undefined) smallest = smaller;
    asked = subsets.next(smaller !== undefined);
  }
  return smallest;
}
