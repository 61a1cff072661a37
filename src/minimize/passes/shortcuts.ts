import { isInternal, type Event } from '../../trace/event.ts';
import type { Shortcut } from './shortcut-search.ts';
import type { Asking, CandidateSchedule, Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { untilFixpoint } from './fixpoint.ts';
import { inTurn } from './in-turn.ts';

/** The maximum number of shortcuts that are tried. */
const TRIES = 24;

/**
 * Takes shortcuts: from every world of the execution, one event that did not happen there, continued from a later
 * position with a similar world. If that fails too, the events in between are not needed.
 */
export const shortcuts = (likeness: Likeness): Pass => untilFixpoint((failing) => takeOne(failing, likeness));

function* takeOne(failing: Failing, likeness: Likeness): Asking<Failing | undefined> {
  const candidateOf = (detour: Shortcut): CandidateSchedule => withShortcut(detour, failing, likeness);
  for (const [, candidate] of inTurn(failing.shortcuts().slice(0, TRIES), candidateOf)) {
    const { failing: smaller } = yield candidate;
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
