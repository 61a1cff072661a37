import type { Event } from '../../trace/event.ts';
import type { Group } from './groups.ts';
import { without, type Asking, type Failing, type Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';

/** The limits on the number of groups that are dropped together. */
interface Sizes {
  readonly atMost?: number;
  readonly atLeast?: number;
}

/**
 * Drops groups of events: half of them at a time, then a quarter, down to one, each time from the last to the first.
 * After a success, the groups are computed again. Ends when no single group can be dropped.
 */
export const dropping = (
  groupsOf: (events: readonly Event[]) => Group[],
  likeness: Likeness,
  { atMost = Number.POSITIVE_INFINITY, atLeast = 1 }: Sizes = {},
): Pass =>
  function* (failing) {
    let smallest = failing;
    for (let count = Math.min(atMost, Math.max(1, groupsOf(failing.events).length >> 1)); count >= atLeast;) {
      const smaller = yield* dropEach(smallest, groupsOf, count, likeness);
      // After a single group was dropped, tries again: other groups may have depended on it.
      if (count > 1 || smaller === smallest) count >>= 1;
      smallest = smaller;
    }
    return smallest;
  };

/** Tries to drop every run of `count` consecutive groups. */
function* dropEach(
  failing: Failing,
  groupsOf: (events: readonly Event[]) => Group[],
  count: number,
  likeness: Likeness,
): Asking<Failing> {
  let smallest = failing;
  let groups = groupsOf(smallest.events);
  for (let end = groups.length; end > 0; end -= count) {
    const dropped = new Set(groups.slice(Math.max(0, end - count), end).flat());
    const smaller = yield* without(smallest, dropped, likeness);
    if (smaller === undefined || smaller.events.length >= smallest.events.length) continue;
    smallest = smaller;
    groups = groupsOf(smallest.events);
    end = Math.min(end, groups.length + count);
  }
  return smallest;
}
