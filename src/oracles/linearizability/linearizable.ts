import type { Oracle } from '../../kernel/ports.ts';
import { historyOracle } from '../history-oracle.ts';
import { oracleBudgetOptions, type Budget } from './budget.ts';
import { checkLinearizable } from './linearizability.ts';
import type { Model } from './model.ts';
import type { Operation } from './operation.ts';
import { linearizabilityVerdict } from './verdict.ts';

/** The default budget for one of many executions; ten million steps suit a single history that a user waits for. */
const STEPS_MAX = 200_000;

/**
 * The operations that clients noted with `ctx.history` must be linearizable: the object behind them must behave like
 * the model. Further returns and failures only rule out orders, so a violated history stays violated.
 *
 * @example
 * defineSystem({ processes: { lock }, invariants: { register: linearizable(models.register(0)) } });
 */
export function linearizable<S, I, O>(model: Model<S, I, O>, budget: Budget = { stepsMax: STEPS_MAX }): Oracle {
  oracleBudgetOptions.checked(budget);
  // The types of noted operations are the user's promise to the model, like the types of messages.
  return historyOracle((operations) =>
    linearizabilityVerdict(checkLinearizable(operations as readonly Operation<I, O>[], model, budget)),
  );
}
