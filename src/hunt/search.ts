import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { AdaptivePace } from './seed-queue.ts';
import { Searcher, type Parallelism } from './searcher.ts';
import { UncontrolledSearcher } from './uncontrolled-searcher.ts';
import { resolveSystem } from '../system/resolve.ts';
import { mustBeSystem } from '../system/must-be.ts';
import type { System } from '../system/definition.ts';
import type { SearchReport } from './report.ts';
import { mustTakeJobs } from '../workers/start-sessions.ts';
import { threadsFor } from '../workers/threads.ts';
import {
  type Bounds,
  type InteractiveOptions,
  type SearchOptions,
  boundsOf,
  searchOptions,
  UNCONTROLLED_EVENTS_MAX,
} from './options.ts';

/**
 * Searches for executions that violate an oracle. Seeds are executed one after another, and strategies take turns.
 *
 * @example
 * const { findings } = await search(system, { seed: 7, strategy: ['random', 'pct:3'] });
 */
export async function search<S extends System>(
  system: S,
  options: SearchOptions<S['parameters']> = {},
): Promise<SearchReport> {
  mustBeSystem('search', system);
  return await searchWith(system, searchOptions.checked(options));
}

/** The same, with options that have been checked. */
export async function searchWith(system: System, options: InteractiveOptions): Promise<SearchReport> {
  const bounds = boundsOf(options);
  return await showingPrinting(bounds.verbose, async () => {
    const resolved = resolveSystem(system, bounds.set);
    mustTakeJobs(bounds.jobs, resolved, 'Use workers: they share the executions of a repeatable system.');
    if (resolved.guarantees.controlled)
      return await new Searcher(system, bounds, parallelismOf(bounds), resolved).run();
    const { eventsMax = UNCONTROLLED_EVENTS_MAX } = options;
    return await new UncontrolledSearcher(system, resolved, { ...bounds, eventsMax }).run();
  });
}

const parallelismOf = ({ workers, nondeterministic }: Bounds): Parallelism => ({
  ...threadsFor(nondeterministic ? 1 : workers),
  pace: new AdaptivePace(),
});
