import { isSameInChanged } from '../../execution/same-bug.ts';
import type { Verdict, Violated } from '../../trace/verdict.ts';
import type { Counterfactual } from '../../trace/why.ts';

export type ChangeOutcome = Counterfactual['outcome'];

/** The outcome of a change, given its verdict; undefined means that no such execution exists. */
export function outcomeOf(verdict: Verdict | undefined, violation: Violated): ChangeOutcome {
  if (verdict?.kind !== 'violated') return verdict?.kind ?? 'impossible';
  return isSameInChanged(verdict, violation) ? 'violated' : 'other';
}
