import { availableParallelism } from 'node:os';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import { AdaptivePace, FleetPace } from './seed-queue.ts';
import { Searcher, type Parallelism } from './searcher.ts';
import { UncontrolledSearcher } from './uncontrolled-searcher.ts';
import { resolveSystem } from '../system/resolve.ts';
import { mustBeSystem } from '../system/must-be.ts';
import type { System } from '../system/definition.ts';
import type { SearchReport } from './report.ts';
import { mustTakeJobs } from '../workers/start-sessions.ts';
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

/** Starting a worker takes some 0.2 s, which a short search should not cost. */
const ALONE_MS = 1_000;

/** Far more than any module takes to load, even on a busy machine. */
const LOAD_MS = 60_000;

/** More workers take too much memory by default. */
const AUTO_MAX = 8;

const cpuMs = (): number => process.cpuUsage().user / 1000;

function parallelismOf({ workers: wanted, nondeterministic, fleet }: Bounds): Parallelism {
  const every = { start: startThreads, pace: new AdaptivePace(), loadMs: LOAD_MS };
  const workers = nondeterministic ? 1 : wanted;
  if (fleet !== undefined)
    return { ...every, workers: 2, start: fleet, pace: new FleetPace(cpuMs), aloneMs: 0, waits: 'never' };
  return workers === 'auto'
    ? { ...every, workers: Math.min(availableParallelism(), AUTO_MAX), aloneMs: ALONE_MS, waits: 'never' }
    : { ...every, workers, aloneMs: 0, waits: 'last' };
}
