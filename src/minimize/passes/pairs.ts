import { cascadesOf } from './cascades.ts';
import { without, type Asking, type Failing, type Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { untilFixpoint } from './fixpoint.ts';

/**
 * Drops the consequences of two timers together: if two processes have completed equally many rounds, both must go back
 * by one.
 */
export const pairs = (likeness: Likeness): Pass => untilFixpoint((failing) => withoutTwo(failing, likeness));

function* withoutTwo(failing: Failing, likeness: Likeness): Asking<Failing | undefined> {
  const groups = cascadesOf(failing.events);
  for (const [at, one] of groups.entries()) {
    for (const other of groups.slice(at + 1)) {
      const smaller = yield* without(failing, new Set([...one, ...other]), likeness);
      if (smaller !== undefined && smaller.events.length < failing.events.length) return smaller;
    }
  }
  return undefined;
}
