import type { Verdict, Violated } from '../../trace/verdict.ts';
import type { Counterfactual } from '../../trace/why.ts';

export type Outcome = Counterfactual['outcome'];

/** This oracle stands for every exception there is: two of them are the same only where they say the same. */
const ANY_EXCEPTION = 'noUncaughtException';

/** What a verdict means to whoever asks about one violation; undefined is no execution at all. */
export function outcomeOf(verdict: Verdict | undefined, violation: Violated): Outcome {
  if (verdict?.kind !== 'violated') return verdict?.kind ?? 'impossible';
  const { oracle, fingerprint } = verdict;
  const isSame = fingerprint === violation.fingerprint || (oracle === violation.oracle && oracle !== ANY_EXCEPTION);
  return isSame ? 'violated' : 'other';
}
