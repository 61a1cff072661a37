import type { SavedTrace } from '../minimize-saved.ts';
import { externalsIn } from '../minimizing.ts';
import { eventOf } from '../trace/lines.ts';

/** A saved violation for machines. */
export function summaryOf({ trace, path }: SavedTrace): object {
  const { name: _name, ending: _ending, verdict: _verdict, ...violated } = trace.verdict;
  return { ...violated, events: trace.events.length, externals: externalsIn(trace.events.map(eventOf)), path };
}
