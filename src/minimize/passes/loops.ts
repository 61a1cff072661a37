import { isInternal } from '../../trace/event.ts';
import { without, type Asking, type Failing, type Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import type { StatePaths } from '../state-paths.ts';
import { untilFixpoint } from './fixpoint.ts';

/** How many places of an execution are compared with one another, and how many stretches are tried before giving up. */
const PLACES = 120;
const TRIES = 12;

/** Two stretches are much the same where both ends are not farther apart than this part of the execution. */
const NEARBY_PART = 32;

/** In executions that are shorter than this, what the environment does is left to others. */
const LONG = 100;

/** What happened between two places that look alike. */
interface LoopStretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts out what led back to where it began: long executions go round and round, and often the last round is enough. The
 * longer a stretch is, and the fewer fields look different before and after, the sooner it is tried.
 */
export const loops = (likeness: Likeness): Pass => untilFixpoint((failing) => withoutOne(failing, likeness));

function* withoutOne(failing: Failing, likeness: Likeness): Asking<Failing | undefined> {
  const { events } = failing;
  const paths = failing.paths();
  if (paths === undefined) return undefined;
  for (const { from, to } of stretches(paths)) {
    const all = [...events.keys()].slice(from, to);
    const internal = all.filter((at) => isInternal(events[at] as (typeof events)[number]));
    for (const dropped of events.length > LONG ? [all, internal] : [internal]) {
      const smaller = yield* without(failing, new Set(dropped), likeness);
      if (smaller !== undefined && smaller.events.length < events.length) return smaller;
    }
  }
  return undefined;
}

/** Those that gain most for the least difference; of those that are much the same, only the best. */
function stretches(paths: StatePaths): LoopStretch[] {
  const nearby = Math.max(1, Math.floor(paths.length / NEARBY_PART));
  const kept: LoopStretch[] = [];
  for (const { from, to } of byGain(paths)) {
    const isNew = kept.every((one) => Math.abs(one.from - from) > nearby || Math.abs(one.to - to) > nearby);
    if (isNew) kept.push({ from, to });
    if (kept.length === TRIES) break;
  }
  return kept;
}

function byGain(paths: StatePaths): LoopStretch[] {
  const { length } = paths;
  const stride = Math.max(1, Math.floor(length / PLACES));
  const all: (LoopStretch & { readonly gain: number })[] = [];
  for (let from = 0; from < length; from += stride) {
    for (let to = length - 1; to > from + 1; to -= stride) {
      all.push({ from, to, gain: (to - from) / (1 + paths.distance(from, to)) });
    }
  }
  return all.sort((one, other) => other.gain - one.gain);
}
