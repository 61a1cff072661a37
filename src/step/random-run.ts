import type { Candidate } from '../schedule/choosers/chooser.ts';
import { RandomChooser } from '../schedule/choosers/random.ts';
import { FAULT_PERCENT } from '../schedule/workload-driver.ts';
import { Random } from '../kernel/data/random.ts';
import { inOrder, nextOfWorkload } from './choices.ts';
import { arrival, typedRun, type RunOrder } from './run-order.ts';
import type { Run } from './running.ts';
import type { Move, Track } from './track.ts';

/**
 * Chooses like a random hunt, with the weights of the system, among enabled events and the workload. It is seeded by
 * the seed and the number of events, so that a longer run begins like a shorter one.
 */
function byChance(track: Track, seed: number, hasFaults: boolean): () => Move | undefined {
  const random = Random.seeded(seed, 0x7374_6570 + track.session.world.length);
  const chooser = new RandomChooser(random, track.origin.system.weights);
  return () => {
    const { session } = track;
    const faults = hasFaults && random.below(100) < FAULT_PERCENT ? session.faults() : [];
    if (faults.length > 0) return { event: random.pick(faults) };
    const own = nextOfWorkload(track);
    const candidates: Candidate[] = [...inOrder(session.enabled), ...(own === undefined ? [] : [own.event])];
    if (candidates.length === 0) return undefined;
    const chosen = chooser.choose(candidates);
    return own !== undefined && chosen === own.event ? own : { event: chosen };
  };
}

/** A random run. With a given number of steps it makes all of them, otherwise it stops at the limit on events. */
export function runByChance(order: RunOrder, rest: string, track: Track, signal: AbortSignal | undefined): Run {
  const { seed, eventsMax } = track.origin;
  const { stepsMax, hasFaults, until } = order;
  const isThere = arrival(until, track);
  return {
    next: byChance(track, order.seed ?? seed, hasFaults),
    typed: typedRun(rest, order),
    stepsMax,
    eventsMax: Number.isFinite(stepsMax) ? Number.POSITIVE_INFINITY : eventsMax,
    ...(isThere === undefined ? {} : { isThere }),
    signal,
  };
}
