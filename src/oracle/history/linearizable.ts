import type { Oracle } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import { HOLDS, type Verdict } from '../../trace/verdict.ts';
import type { Budget } from './budget.ts';
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
  return {
    judge: () => HOLDS,
    end(world: World): Verdict {
      // What clients note is for the model to understand: the same trust as in the types of messages.
      const operations = world.operations() as readonly (Operation<I, O> & { readonly returnedIn?: number })[];
      const check = (history: readonly Operation<I, O>[]) => checkLinearizable(history, model, budget);
      const answer = check(operations);
      if (answer.kind !== 'violated') return linearizabilityVerdict(answer);
      return earliest(operations, check) ?? linearizabilityVerdict(answer);
    },
  };
}

/**
 * A history without its end is linearizable if the whole is, so the first return that makes it impossible is found by
 * halving. A violation is told as it was then.
 */
function earliest<S, I, O>(
  operations: readonly (Operation<I, O> & { readonly returnedIn?: number })[],
  check: (history: readonly Operation<I, O>[]) => Linearizability<S, I, O>,
): Verdict | undefined {
  const returns = operations.flatMap(({ returned }) => returned ?? []).sort((a, b) => a - b);
  let [low, high] = [0, returns.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (check(before(operations, returns[middle] as number)).kind === 'violated') high = middle;
    else low = middle + 1;
  }
  const verdict = linearizabilityVerdict(check(before(operations, returns[high] as number)));
  const last = operations.find(({ returned }) => returned === returns[high]);
  return verdict.kind === 'violated' ? { ...verdict, events: (last?.returnedIn ?? 0) + 1 } : undefined;
}

/** The history as it was after that place. */
const before = <I, O>(operations: readonly Operation<I, O>[], place: number): Operation<I, O>[] =>
  operations
    .filter(({ called }) => called <= place)
    .map((operation) => {
      if (operation.returned === undefined || operation.returned <= place) return operation;
      const { returned: _returned, output: _output, ...open } = operation;
      return open;
    });
