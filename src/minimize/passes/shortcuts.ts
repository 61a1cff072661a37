import { isInternal, type Event } from '../../trace/event.ts';
import type { Shortcut } from './shortcut-search.ts';
import type { Asking, CandidateSchedule, Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { untilFixpoint } from './fixpoint.ts';

/** The maximum number of shortcuts that are tried. */
const TRIES = 24;

/**
 * Takes shortcuts: from every world of the execution, one event that did not happen there, continued from a later
 * position with a similar world. If that fails too, the events in between are not needed.
 */
export const shortcuts = (likeness: Likeness): Pass => untilFixpoint((failing) => takeOne(failing, likeness));

function* takeOne(failing: Failing, likeness: Likeness): Asking<Failing | undefined> {
  for (const detour of failing.shortcuts().slice(0, TRIES)) {
    const { failing: smaller } = yield withShortcut(detour, failing, likeness);
    if (smaller !== undefined && smaller.events.length < failing.events.length) return smaller;
  }
  return undefined;
}

/** The externals in between stay. */
function withShortcut(
  { from, event, to }: Shortcut,
  { events, targets }: Failing,
  likeness: Likeness,
): CandidateSchedule {
  const between = events.slice(from, to).filter((skipped: Event) => !isInternal(skipped));
  return { events: [...events.slice(0, from), event, ...between, ...events.slice(to)], likeness, targets };
}
