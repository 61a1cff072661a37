import type { Asking, CandidateSchedule, Failing } from '../pass.ts';
import { inTurn } from './in-turn.ts';
import { isSimpler } from './simpler.ts';

/** The first of these candidates that fails and is simpler. */
export function* firstSimpler(failing: Failing, candidates: Iterable<CandidateSchedule>): Asking<Failing | undefined> {
  for (const [, candidate] of inTurn(candidates, (same) => same)) {
    const { failing: simpler } = yield candidate;
    if (simpler !== undefined && isSimpler(simpler, failing)) return simpler;
  }
  return undefined;
}
