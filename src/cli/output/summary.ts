import type { MinimizedSaved } from '../../minimize/minimize-saved.ts';
import { externalsIn } from '../../minimize/minimizer.ts';
import { eventOf } from '../../trace/codec.ts';
import type { SavedTrace } from '../../files/trace-file.ts';

/** A saved violation for `--json`. */
export function summaryOf({ trace, path, unsaved }: SavedTrace): object {
  const { name: _name, ending: _ending, verdict: _verdict, ...violated } = trace.verdict;
  return {
    ...violated,
    events: trace.events.length,
    externals: externalsIn(trace.events.map(eventOf)),
    ...fileOf(path, unsaved),
  };
}

/** The file, or why there is none. */
const fileOf = (path: string, unsaved: SavedTrace['unsaved']): object =>
  unsaved === undefined ? { path } : { path: null, unsaved: unsaved.message };

/** How many replays showed a minimized violation, if it was not all of them. */
export const reproductionOf = ({ reproduction }: MinimizedSaved): Partial<Pick<MinimizedSaved, 'reproduction'>> =>
  reproduction.rate < 1 ? { reproduction } : {};
