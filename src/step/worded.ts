import { BadPhrase, inWordsFrom } from '../execution/wording.ts';
import type { Origin } from '../execution/record.ts';
import type { EventLine, Trace } from '../trace/format.ts';

/** The last of these lines of an execution, in the system's own words; in ours if its words fail. */
export function lastInWords(lines: readonly EventLine[], count: number, { system, handlerMs }: Origin): EventLine[] {
  const first = Math.max(0, lines.length - count);
  // Words are made from the events alone.
  const trace = { events: lines } as Trace;
  try {
    return inWordsFrom(first, trace, system.phrases, handlerMs).events.slice(first);
  } catch (error) {
    if (error instanceof BadPhrase) return lines.slice(first);
    throw error;
  }
}
