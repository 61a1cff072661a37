import { on } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { CulpritError } from './error.ts';
import { Executor, type Range, type Stretch, type Terms } from './executor.ts';
import type { Marks } from './explore/sightings.ts';
import { watchedBy } from './kernel/watchdog.ts';
import { restOf } from './ledger.ts';
import { loadSystem } from './load-system.ts';
import { reproduce } from './replay.ts';
import { resolveSystem, type ResolvedSystem } from './targets/actors/resolve.ts';
import type { Parameters } from './targets/actors/system.ts';
import type { Trace } from './trace/format.ts';

/** What a worker is started with. It is a thread of its own, and gets its own system from the module. */
export interface Assignment {
  readonly file: string;
  /** Which of the systems that the file defines is meant; undefined where that cannot be said. */
  readonly nth: number | undefined;
  readonly parameters: Parameters;
  readonly terms: Terms;
  /** The first execution of the hunt: it must come out the same here. */
  readonly probe: Trace;
  /** By which it is watched. */
  readonly memory: Int32Array;
}

/** What a worker tells. It is told ranges. */
export type News =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unable'; readonly problem: string; readonly next: string }
  | {
      readonly kind: 'stretch';
      readonly stretch: Stretch;
      readonly tookMs: number;
      /** The next execution throws: it is the hunt's own thread that has to see that, and the rest of the range. */
      readonly givesUp: boolean;
    };

async function run(port: MessagePort, assignment: Assignment): Promise<void> {
  const tell = (news: News): void => port.postMessage(news);
  // Before anything is awaited, so that no message is missed.
  const ranges = on(port, 'message') as AsyncIterable<[Range]>;
  watchedBy(assignment.memory);
  try {
    const system = await systemFor(assignment);
    tell({ kind: 'ready' });
    await work(new Executor(system, assignment.terms), system.sometimes, ranges, tell);
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    tell({ kind: 'unable', problem: error.message, next: error.next });
  }
}

/** The system, provided that it is the one that is hunted. */
async function systemFor({ file, nth, parameters, terms, probe }: Assignment): Promise<ResolvedSystem> {
  const { system: loaded } = await loadSystem(file);
  if (nth !== undefined && loaded.nth !== nth) throw new OtherSystem(file, nth, loaded.nth);
  const system = resolveSystem(loaded, parameters);
  const { seed, options } = probe.header;
  await reproduce({ system, module: undefined, seed, ...options, handlerMs: terms.handlerMs }, probe);
  return system;
}

async function work(
  executor: Executor,
  sometimes: Marks,
  ranges: AsyncIterable<[Range]>,
  tell: (news: News) => void,
): Promise<void> {
  // Seeds come in ascending order: what was met before was met at a smaller seed.
  const known = new Set<string>();
  const marks = new Map(sometimes);
  for await (const [range] of ranges) {
    for (let rest = range; rest.count > 0;) {
      const startedMs = performance.now();
      const { stretch, thrown } = await executor.execute(rest, { marks, known });
      const givesUp = thrown !== undefined;
      tell({ kind: 'stretch', stretch, tookMs: performance.now() - startedMs, givesUp });
      if (givesUp) break;
      if (stretch.violated !== undefined) known.add(stretch.violated.fingerprint);
      for (const mark of stretch.seen.reached) marks.delete(mark);
      rest = restOf(rest, stretch.executions);
    }
  }
}

/** The module exports a system by default, but it is not the one that is hunted. */
class OtherSystem extends CulpritError {
  readonly code = 'OTHER_SYSTEM';

  constructor(file: string, wanted: number, found: number) {
    super(
      `the system is number ${wanted} of those that ${file} defines, and what it exports by default is number ${found}.`,
      'Workers load the default export: make the system that, or make the difference a parameter.',
    );
  }
}

if (parentPort === null) throw new Error('worker.ts is started by workers.ts, as a thread');
await run(parentPort, workerData as Assignment);
