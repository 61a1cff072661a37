import type { Asking, Failing, Pass } from '../pass.ts';

/** A pass that repeats a step with its result, until the step finds nothing. */
export const untilFixpoint = (better: (failing: Failing) => Asking<Failing | undefined>): Pass =>
  function* (failing) {
    for (let best = failing; ;) {
      const found: Failing | undefined = yield* better(best);
      if (found === undefined) return best;
      best = found;
    }
  };
