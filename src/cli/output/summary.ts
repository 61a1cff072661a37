import type { MinimizedSaved } from '../../minimize/minimize-saved.ts';
import { externalsIn } from '../../minimize/minimizer.ts';
import { eventOf } from '../../trace/codec.ts';
import type { SavedTrace } from '../../files/trace-file.ts';

/** A saved violation for machines. */
export function summaryOf({ trace, path, unsaved }: SavedTrace): object {
  const { name: _name, ending: _ending, verdict: _verdict, ...violated } = trace.verdict;
  return {
    ...violated,
    events: trace.events.length,
    externals: externalsIn(trace.events.map(eventOf)),
    ...fileOf(path, unsaved),
  };
}

/** Where it is, or why it is nowhere. */
const fileOf = (path: string, unsaved: SavedTrace['unsaved']): object =>
  unsaved === undefined ? { path } : { path: null, unsaved: unsaved.message };

/** How often a minimized violation came when it was replayed, where that was not every time. */
export const reproductionOf = ({ reproduction }: MinimizedSaved): Partial<Pick<MinimizedSaved, 'reproduction'>> =>
  reproduction.rate < 1 ? { reproduction } : {};
