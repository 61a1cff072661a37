import type { Causality } from './causality.ts';
import type { Trace } from './format.ts';

/**
 * Marks the events that may have led to the violation: those that happened before the last events of the processes in
 * the verdict, or before the last event if the verdict names none. Marks nothing without a violation.
 */
export function relevanceOf({ events, verdict }: Trace, causality: Causality): Uint8Array | undefined {
  if (verdict.verdict !== 'violated' || events.length === 0) return undefined;
  const marks = new Uint8Array(events.length);
  for (const end of endsOf(verdict.processes, events)) {
    marks[end] = 1;
    for (const event of causality.past(end)) marks[event] = 1;
  }
  return marks;
}

/** The last event caused the violation, whichever processes the verdict names. */
function endsOf(processes: readonly string[], events: Trace['events']): Set<number> {
  const last = (process: string): number => events.findLastIndex((line) => line.process === process);
  return new Set([...processes.map(last).filter((event) => event >= 0), events.length - 1]);
}
