import type { Oracle } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import { HOLDS, type Verdict } from '../../trace/verdict.ts';
import { oracleBudgetOptions, type Budget } from './budget.ts';
import { checkLinearizable, type Linearizability } from './linearizability.ts';
import type { Model } from './model.ts';
import type { Operation } from './operation.ts';
import { linearizabilityVerdict } from './verdict.ts';

/** In one execution of many; ten million steps are for a history that somebody waits for. */
const STEPS_MAX = 200_000;

/**
 * The operations that clients noted with `ctx.history` must be linearizable: the object behind them must behave like the
 * model. Judged once, when an execution ends; a violation then says how many events it took.
 */
export function linearizable<S, I, O>(model: Model<S, I, O>, budget: Budget = { stepsMax: STEPS_MAX }): Oracle {
  oracleBudgetOptions.checked(budget);
  return {
    judge: () => HOLDS,
    end(world: World): Verdict {
      // What clients note is for the model to understand: the same trust as in the types of messages.
      const after = (events: number) =>
        checkLinearizable(world.operations(events) as readonly Operation<I, O>[], model, budget);
      const whole = after(world.length);
      if (whole.kind !== 'violated') return linearizabilityVerdict(whole);
      const events = earliest(after, world.length);
      // Told as it was then.
      const verdict = linearizabilityVerdict(after(events));
      return verdict.kind === 'violated' ? { ...verdict, events } : linearizabilityVerdict(whole);
    },
  };
}

/**
 * After how many events a history was not linearizable, given that in the end it is not. What an operation returns, or
 * that it failed, only rules out orders: a history stays violated, so the first event is found by halving. Where nobody
 * knows it is taken to be a later one.
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
