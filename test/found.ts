import { search, type System } from 'culprit';
import type { SearchOptions } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';

/** The trace of the first violation that a search finds; there must be one. */
export async function found(system: System, options: SearchOptions = {}): Promise<Trace> {
  const { findings } = await search(system, options);
  const [first] = findings;
  if (first === undefined) throw new Error('nothing was found');
  return first.trace;
}
