import type { Counterfactual, Odds } from '../../trace/why.ts';

/** The facts that the answer is made from. */
export interface Known {
  readonly oracle: string;
  readonly race: Counterfactual | undefined;
  readonly counterfactuals: readonly Counterfactual[];
  readonly odds: readonly Odds[];
  readonly noReturn: number | undefined;
}

/** The answer in a sentence: the race; or that nearly every order fails; or the events without which nothing fails. */
export function answerOf({ oracle, race, counterfactuals, odds, noReturn }: Known): string {
  const [start] = odds;
  if (noReturn === 0 && start !== undefined)
    return `${oracle} is violated in nearly any order: in ${start.violated} of ${start.sampled} executions from the start`;
  if (race !== undefined) return race.what;
  const needed = counterfactuals.filter(
    ({ change, outcome, isPutOff }) => change === 'without' && outcome === 'holds' && isPutOff !== true,
  );
  const swaps = 'no single change of order makes a difference';
  if (needed.length === 0) return `${swaps}, nor is any single event needed`;
  const events = needed.map(({ event }) => event).join(', ');
  return `${swaps}, but ${needed.length === 1 ? `event ${events} is` : `each of the events ${events} is`} needed: without it, ${oracle} would have held`;
}
