import { availableParallelism } from 'node:os';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { AdaptivePace } from './seed-queue.ts';
import { Searcher, type Parallelism } from './searcher.ts';
import { UncontrolledSearcher } from './uncontrolled-searcher.ts';
import { resolveSystem } from '../system/resolve.ts';
import { mustBeSystem } from '../system/must-be.ts';
import type { System } from '../system/definition.ts';
import type { SearchReport } from './report.ts';
import { mustTakeJobs } from '../workers/start-sessions.ts';
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

/** Starting a worker takes some 0.2 s, which a short search should not cost. */
const ALONE_MS = 1_000;

/** Far more than any module takes to load, even on a busy machine. */
const LOAD_MS = 60_000;

/** More workers take too much memory by default. */
const AUTO_MAX = 8;

function parallelismOf({ workers: wanted, nondeterministic }: Bounds): Parallelism {
  const pace = new AdaptivePace();
  const workers = nondeterministic ? 1 : wanted;
  return workers === 'auto'
    ? { workers: Math.min(availableParallelism(), AUTO_MAX), pace, aloneMs: ALONE_MS, waits: 'never', loadMs: LOAD_MS }
    : { workers, pace, aloneMs: 0, waits: 'last', loadMs: LOAD_MS };
}
