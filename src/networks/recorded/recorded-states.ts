import { applyChanges, isNothing, NOTHING } from '../../trace/change.ts';
import type { EventLine } from '../../trace/format.ts';
import { fromPortable } from '../../trace/json-encoding.ts';

/** An event of a recording, with the state of its process before and after it; undefined without one. */
export interface RecordedStep {
  readonly line: EventLine;
  readonly before: unknown;
  readonly after: unknown;
}

/** The events of a recording in order, with the states that they changed. */
export function* recordedStates(events: readonly EventLine[]): Generator<RecordedStep> {
  const states = new Map<string, unknown>();
  const read = new Map<string, unknown>();
  for (const line of events) {
    const { process, changes = [] } = line;
    const before = read.get(process);
    if (changes.length > 0) {
      const state = applyChanges(states.has(process) ? states.get(process) : NOTHING, changes);
      states.set(process, state);
      read.set(process, isNothing(state) ? undefined : fromPortable(state));
    }
    yield { line, before, after: read.get(process) };
  }
}
