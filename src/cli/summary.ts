import type { MinimizedSaved, SavedTrace } from '../minimize-saved.ts';
import { externalsIn } from '../minimizing.ts';
import { eventOf } from '../trace/lines.ts';

/** A saved violation for machines. */
export function summaryOf({ trace, path }: SavedTrace): object {
  const { name: _name, ending: _ending, verdict: _verdict, ...violated } = trace.verdict;
  return { ...violated, events: trace.events.length, externals: externalsIn(trace.events.map(eventOf)), path };
}

/** How often a minimised violation came when it was replayed, where that was not every time. */
export const reproductionOf = ({ reproduction }: MinimizedSaved): Partial<Pick<MinimizedSaved, 'reproduction'>> =>
  reproduction.rate < 1 ? { reproduction } : {};
