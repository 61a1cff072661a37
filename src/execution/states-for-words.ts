import { applyChanges, isNothing, NOTHING, type Change } from '../trace/change.ts';
import type { EventLine } from '../trace/format.ts';

/** How many values the states of a trace may have together: making so many takes seconds. */
const VALUES = 20_000_000;

/** A state of so many values is small enough in a trace of any length. */
const ALWAYS = 200;

/**
 * The states of an execution, event by event, for a system that has words for them. Each is a copy of its own, so that making
 * all of them takes the number of events times their size. A state that has more values than its share is left out, until the
 * process has another: then the time goes by the size of the trace.
 */
export class StatesForWords {
  private readonly states = new Map<string, unknown>();
  private readonly valuesMax: number;

  constructor(events: number) {
    this.valuesMax = Math.max(ALWAYS, Math.floor(VALUES / events));
  }

  /** The state that an event left its process in; undefined where it has none, or one that is too large. */
  after({ process, changes = [] }: EventLine): unknown {
    const before = this.states.has(process) ? this.states.get(process) : NOTHING;
    const fresh = changes.findLastIndex(([pointer]) => pointer === '');
    const state =
      before === undefined && fresh < 0 ? undefined : this.fitting(before, changes.slice(Math.max(0, fresh)));
    this.states.set(process, state);
    return isNothing(state) ? undefined : state;
  }

  private fitting(before: unknown, changes: readonly Change[]): unknown {
    const state = applyChanges(before, changes);
    return hasMoreThan(this.valuesMax, state) ? undefined : state;
  }
}

/** Whether data has more values than that. Looks at no more. */
function hasMoreThan(most: number, data: unknown): boolean {
  let left = most;
  const count = (value: unknown): boolean => {
    left -= 1;
    if (left < 0) return true;
    return typeof value === 'object' && value !== null && Object.values(value).some(count);
  };
  return count(data);
}
