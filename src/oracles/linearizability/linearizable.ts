import type { Oracle } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import { HOLDS, type Verdict } from '../../trace/verdict.ts';
import { oracleBudgetOptions, type Budget } from './budget.ts';
import { checkLinearizable, type Linearizability } from './linearizability.ts';
import type { Model } from './model.ts';
import type { Operation } from './operation.ts';
import { linearizabilityVerdict } from './verdict.ts';

/** The default budget for one of many executions; ten million steps suit a single history that a user waits for. */
const STEPS_MAX = 200_000;

/**
 * The operations that clients noted with `ctx.history` must be linearizable: the object behind them must behave like
 * the model. Judged once, at the end of an execution; a violation then says after how many events it happened.
 */
export function linearizable<S, I, O>(model: Model<S, I, O>, budget: Budget = { stepsMax: STEPS_MAX }): Oracle {
  oracleBudgetOptions.checked(budget);
  return {
    judge: () => HOLDS,
    end(world: World): Verdict {
      // The types of noted operations are the user's promise to the model, like the types of messages.
      const after = (events: number) =>
        checkLinearizable(world.operations(events) as readonly Operation<I, O>[], model, budget);
      const whole = after(world.length);
      if (whole.kind !== 'violated') return linearizabilityVerdict(whole);
      const events = earliest(after, world.length);
      // Describes the history up to that event.
      const verdict = linearizabilityVerdict(after(events));
      return verdict.kind === 'violated' ? { ...verdict, events } : linearizabilityVerdict(whole);
    },
  };
}

/**
 * The number of events after which a history was no longer linearizable, given that it is not at the end. Further
 * returns and failures only rule out orders, so a violated history stays violated, and binary search finds the first
 * event. An unknown answer counts as linearizable, so the result may be too late.
 */
function earliest<S, I, O>(after: (events: number) => Linearizability<S, I, O>, length: number): number {
  let [low, high] = [1, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (after(middle).kind === 'violated') high = middle;
    else low = middle + 1;
  }
  return high;
}
