import type { Causality, Trace } from 'culprit/trace';

/**
 * The events that can have led to the violation, marked: what happened before the last events of the processes that the verdict
 * names, or before the last event of all. Nothing where there is no violation.
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

/** The last event of all has brought the violation about, whoever it is about. */
function endsOf(processes: readonly string[], events: Trace['events']): Set<number> {
  const last = (process: string): number => events.findLastIndex((line) => line.process === process);
  return new Set([...processes.map(last).filter((event) => event >= 0), events.length - 1]);
}
