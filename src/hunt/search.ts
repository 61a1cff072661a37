import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { AdaptivePace, FleetPace } from './seed-queue.ts';
import { Searcher, type Parallelism } from './searcher.ts';
import { UncontrolledSearcher } from './uncontrolled-searcher.ts';
import { resolveSystem } from '../system/resolve.ts';
import { mustBeSystem } from '../system/must-be.ts';
import type { System } from '../system/definition.ts';
import type { SearchReport } from './report.ts';
import { mustTakeJobs } from '../workers/start-sessions.ts';
import { LOAD_MS, threadsFor } from '../workers/threads.ts';
import { startThreads } from '../workers/worker-pool.ts';
import { mustGuarantee } from '../kernel/guarantees.ts';
import {
  type Bounds,
  type CommandOptions,
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
export async function searchWith(system: System, options: CommandOptions): Promise<SearchReport> {
  const bounds = boundsOf(options);
  return await showingPrinting(bounds.verbose, async () => {
    const resolved = resolveSystem(system, bounds.set);
    if (bounds.fleet !== undefined) {
      mustGuarantee('a fleet', 'controlled', resolved.declaration, LIVE_HERE);
      mustGuarantee('a fleet', 'repeatable', resolved.declaration, LIVE_HERE);
    }
    mustTakeJobs(bounds.jobs, resolved, 'Use workers: they share the executions of a repeatable system.');
    if (resolved.guarantees.controlled)
      return await new Searcher(system, bounds, parallelismOf(bounds), resolved).run();
    const { eventsMax = UNCONTROLLED_EVENTS_MAX } = options;
    return await new UncontrolledSearcher(system, resolved, { ...bounds, eventsMax }).run();
  });
}

const LIVE_HERE = 'Hunt on this machine, with --jobs: programs need their files and ports.';

const cpuMs = (): number => process.cpuUsage().user / 1000;

const parallelismOf = ({ workers, nondeterministic, fleet }: Bounds): Parallelism =>
  fleet === undefined
    ? { ...threadsFor(nondeterministic ? 1 : workers), start: startThreads, pace: new AdaptivePace() }
    : { workers: 2, aloneMs: 0, waits: 'never', loadMs: LOAD_MS, start: fleet, pace: new FleetPace(cpuMs) };
