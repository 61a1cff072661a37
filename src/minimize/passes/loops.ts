import { isInternal } from '../../trace/event.ts';
import type { Asking, Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import type { StatePaths } from '../state-paths.ts';
import { untilFixpoint } from './fixpoint.ts';
import { firstShorter } from './first-shorter.ts';

/** The number of positions that are compared with one another, and of segments that are tried. */
const PLACES = 120;
const TRIES = 12;

/** Two segments count as the same if both ends differ by at most this fraction of the execution. */
const NEARBY_PART = 32;

/** In shorter executions, externals are left to other passes. */
const LONG = 100;

/** The events between two positions with similar states. */
interface LoopSegment {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts out cycles: segments that lead back to a similar state. Long executions repeat themselves, and often the last
 * repetition is enough. Long segments with few differing fields are tried first.
 */
export const loops = (likeness: Likeness): Pass => untilFixpoint((failing) => withoutOne(failing, likeness));

function* withoutOne(failing: Failing, likeness: Likeness): Asking<Failing | undefined> {
  const { events } = failing;
  const paths = failing.paths();
  if (paths === undefined) return undefined;
  const dropping = segments(paths).flatMap(({ from, to }) => {
    const all = [...events.keys()].slice(from, to);
    const internal = all.filter((at) => isInternal(events[at] as (typeof events)[number]));
    return events.length > LONG ? [all, internal] : [internal];
  });
  return yield* firstShorter(failing, dropping, likeness);
}

/** The segments with the best ratio of length to difference; of similar segments only the best. */
function segments(paths: StatePaths): LoopSegment[] {
  const nearby = Math.max(1, Math.floor(paths.length / NEARBY_PART));
  const kept: LoopSegment[] = [];
  for (const { from, to } of byGain(paths)) {
    const isNew = kept.every((one) => Math.abs(one.from - from) > nearby || Math.abs(one.to - to) > nearby);
    if (isNew) kept.push({ from, to });
    if (kept.length === TRIES) break;
  }
  return kept;
}

function byGain(paths: StatePaths): LoopSegment[] {
  const { length } = paths;
  const stride = Math.max(1, Math.floor(length / PLACES));
  const all: (LoopSegment & { readonly gain: number })[] = [];
  for (let from = 0; from < length; from += stride) {
    for (let to = length - 1; to > from + 1; to -= stride) {
      all.push({ from, to, gain: (to - from) / (1 + paths.distance(from, to)) });
    }
  }
  return all.sort((one, other) => other.gain - one.gain);
}
