import { Causality } from '../../trace/causality.ts';
import type { Event } from '../../trace/event.ts';
import { without, type Asking, type Failing } from '../pass.ts';

/**
 * Drops the events that did not happen before the violation: before its last event, or before the last event of each
 * process that it is about.
 */
export function* provenance(failing: Failing): Asking<Failing> {
  const { events } = failing;
  const causality = new Causality(events);
  const ends = endsOf(failing);
  for (const roots of [ends.slice(0, 1), ends]) {
    const kept = new Set(roots.flatMap((root) => [root, ...causality.past(root)]));
    const dropped = new Set(events.keys());
    for (const at of kept) dropped.delete(at);
    const smaller = dropped.size === 0 ? undefined : yield* without(failing, dropped, 'content');
    if (smaller !== undefined) return smaller;
  }
  return failing;
}

/** The last event, and the last event of each process that the violation is about. */
export const endsOf = ({ events, violation }: Failing): readonly number[] =>
  [events.length - 1, ...violation.processes.map((process) => lastOf(events, process))].filter((end) => end >= 0);

const lastOf = (events: readonly Event[], name: string): number =>
  events.findLastIndex(({ process }) => process === name);
