import { isInternal, type Event } from '../../trace/event.ts';
import type { Detour } from './shortcut-search.ts';
import type { Asking, Candidate, Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { untilFixpoint } from './fixpoint.ts';

/** How many are tried before giving up. */
const TRIES = 24;

/**
 * Goes another way: from every world that the execution went through, one event that did not happen there, and then on from
 * a later place that looks much like where it led. What happened in between is not needed if that fails, too.
 */
export const shortcuts = (likeness: Likeness): Pass => untilFixpoint((failing) => byOne(failing, likeness));

function* byOne(failing: Failing, likeness: Likeness): Asking<Failing | undefined> {
  for (const detour of failing.detours().slice(0, TRIES)) {
    const { failing: smaller } = yield taking(detour, failing, likeness);
    if (smaller !== undefined && smaller.events.length < failing.events.length) return smaller;
  }
  return undefined;
}

/** What the environment did in between stays. */
function taking({ from, event, to }: Detour, { events, targets }: Failing, likeness: Likeness): Candidate {
  const between = events.slice(from, to).filter((skipped: Event) => !isInternal(skipped));
  return { events: [...events.slice(0, from), event, ...between, ...events.slice(to)], likeness, targets };
}
