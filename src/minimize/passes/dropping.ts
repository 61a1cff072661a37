import type { Event } from '../../trace/event.ts';
import type { Group } from './groups.ts';
import { inTurn } from './in-turn.ts';
import { candidateWithout, type Asking, type CandidateSchedule, type Failing, type Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';

/** The limits on the number of groups that are dropped together. */
interface Sizes {
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** A sweep over the groups of an execution, from the last to the first, and how far it has come. */
interface Sweep {
  readonly failing: Failing;
  readonly groups: readonly Group[];
  /** The number of groups that are dropped together. */
  readonly count: number;
  /** The number of groups that were not tried yet. */
  readonly end: number;
  /** Whether the sweep has dropped something. */
  readonly hasDropped: boolean;
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
    const groups = groupsOf(failing.events);
    const count = Math.min(atMost, Math.max(1, groups.length >> 1));
    let sweep: Sweep = { failing, groups, count, end: groups.length, hasDropped: false };
    for (;;) {
      const dropped: Sweep | undefined = yield* dropNext(sweep, groupsOf, likeness, atLeast);
      if (dropped === undefined) return sweep.failing;
      sweep = dropped;
    }
  };

/** Tries to drop what the sweep has come to, and so on, until something is dropped; undefined if nothing is. */
function* dropNext(
  sweep: Sweep,
  groupsOf: (events: readonly Event[]) => Group[],
  likeness: Likeness,
  atLeast: number,
): Asking<Sweep | undefined> {
  const { failing } = sweep;
  for (const [place, candidate] of inTurn(placesFrom(sweep, atLeast), (at) => candidateAt(at, likeness))) {
    const { failing: smaller } = yield candidate;
    if (smaller === undefined || smaller.events.length >= failing.events.length) continue;
    const groups = groupsOf(smaller.events);
    const end = Math.min(place.end, groups.length + place.count) - place.count;
    return { ...place, failing: smaller, groups, end, hasDropped: true };
  }
  return undefined;
}

/** Where sweeps come to if nothing is dropped. */
function* placesFrom(sweep: Sweep, atLeast: number): Generator<Sweep> {
  const { groups } = sweep;
  for (let { count, end, hasDropped } = sweep; count >= atLeast;) {
    for (; end > 0; end -= count) yield { ...sweep, count, end, hasDropped };
    // After a single group was dropped, tries again: other groups may have depended on it.
    if (count > 1 || !hasDropped) count >>= 1;
    end = groups.length;
    hasDropped = false;
  }
}

const candidateAt = ({ failing, groups, count, end }: Sweep, likeness: Likeness): CandidateSchedule =>
  candidateWithout(failing, new Set(groups.slice(Math.max(0, end - count), end).flat()), likeness);
