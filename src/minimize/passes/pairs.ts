import { cascadesOf } from './cascades.ts';
import type { Asking, Failing, Pass } from '../pass.ts';
import type { Group } from './groups.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { untilFixpoint } from './fixpoint.ts';
import { firstShorter } from './first-shorter.ts';

/**
 * Drops the consequences of two timers together: if two processes have completed equally many rounds, both must go back
 * by one.
 */
export const pairs = (likeness: Likeness): Pass => untilFixpoint((failing) => withoutTwo(failing, likeness));

const withoutTwo = (failing: Failing, likeness: Likeness): Asking<Failing | undefined> =>
  firstShorter(failing, pairsOf(cascadesOf(failing.events)), likeness);

function* pairsOf(groups: readonly Group[]): Generator<Group> {
  for (const [at, one] of groups.entries()) for (const other of groups.slice(at + 1)) yield [...one, ...other];
}
