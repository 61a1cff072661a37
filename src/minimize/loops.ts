import { isInternal } from '../trace/event.ts';
import { without, type Asking, type Failing, type Likeness, type Pass } from './pass.ts';
import type { StatePaths } from './state-paths.ts';

/** How many places of an execution are compared with one another, and how many stretches are tried before giving up. */
const PLACES = 120;
const TRIES = +(process.env['TRIES'] ?? 12);

/** Stretches shorter than this part of the execution are left to others. */
const SHORTEST_PART = 16;

/** What happened between two places that look alike. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts out what led back to where it began: long executions go round and round, and often the last round is enough. The
 * fewer fields look different before and after, the sooner a stretch is tried, the longest first.
 */
export const loops = (likeness: Likeness): Pass =>
  function* (failing) {
    for (let smallest = failing; ;) {
      const smaller: Failing | undefined = yield* withoutOne(smallest, likeness);
      if (smaller === undefined) return smallest;
      smallest = smaller;
    }
  };

function* withoutOne(failing: Failing, likeness: Likeness): Asking<Failing | undefined> {
  const { events } = failing;
  const paths = failing.paths();
  if (paths === undefined) return undefined;
  for (const { from, to } of stretches(paths)) {
    const all = [...events.keys()].slice(from, to);
    const internal = all.filter((at) => isInternal(events[at] as (typeof events)[number]));
    for (const dropped of paths.length > 100 ? [all, internal] : [internal]) {
      const smaller = yield* without(failing, new Set(dropped), likeness);
      if (smaller !== undefined && smaller.events.length < events.length) return smaller;
    }
  }
  return undefined;
}

/** Those that gain most for the least difference; of stretches that begin and end close to one another, only the best. */
function stretches(paths: StatePaths): Stretch[] {
  const { length } = paths;
  const stride = Math.max(1, Math.floor(length / PLACES));
  const near = Math.max(1, Math.floor(length / 32));
  const all: (Stretch & { readonly gain: number })[] = [];
  for (let from = 0; from < length; from += stride) {
    for (let to = length - 1; to > from + 1; to -= stride) {
      all.push({ from, to, gain: (to - from) / (1 + paths.distance(from, to)) });
    }
  }
  all.sort((one, other) => other.gain - one.gain);
  const kept: Stretch[] = [];
  for (const { from, to } of all) {
    if (kept.some((one) => Math.abs(one.from - from) <= near && Math.abs(one.to - to) <= near)) continue;
    kept.push({ from, to });
    if (kept.length === TRIES) break;
  }
  return kept;
}
