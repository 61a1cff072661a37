import { chooseNext } from '../schedule/choosers/chooser.ts';
import { RandomChooser } from '../schedule/choosers/random.ts';
import { randomFault } from '../schedule/workload-driver.ts';
import { Random } from '../kernel/data/random.ts';
import { inOrder, nextOfWorkload } from './choices.ts';
import { arrival, typedRun, type RunOrder } from './run-order.ts';
import type { Run } from './running.ts';
import type { Move, Track } from './track.ts';

/**
 * Chooses as a random hunt does, with the weights of the system, among what processes and the workload would do next.
 * Begins from the seed and from where the execution is: the first steps of a longer run are those of a shorter one.
 */
function byChance(track: Track, seed: number, hasFaults: boolean): () => Move | undefined {
  const random = Random.seeded(seed, 0x7374_6570 + track.session.world.length);
  const chooser = new RandomChooser(random, track.origin.system.weights);
  return () => {
    const { session } = track;
    const fault = hasFaults ? randomFault(random, session) : undefined;
    if (fault !== undefined) return { event: fault };
    const own = nextOfWorkload(track);
    const chosen = chooseNext(chooser, inOrder(session.enabled), own?.event, session.world.length);
    if (chosen === undefined) return undefined;
    return chosen === own?.event ? own : { event: chosen };
  };
}

/** Random steps, as ordered. Who says how many gets them; others get no further than the bound on events. */
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
