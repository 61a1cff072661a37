import { Executor, restOf, type Range, type RangeSummary, type ExecutionConfig } from './executor.ts';
import type { World } from '../kernel/world.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { ExecuteJob } from '../workers/session-runner.ts';

/** The work of a worker that executes ranges of seeds. */
export interface HuntWork {
  readonly kind: 'hunt';
  readonly config: ExecutionConfig;
}

/** The result of a range, or of its first part. */
export interface RangeResult {
  readonly summary: RangeSummary;
  /** The time that the executions took; undefined where the size of jobs is fixed. */
  readonly tookMs?: number;
  /** The next execution throws, so the thread that runs the hunt has to execute the rest of the range. */
  readonly givesUp: boolean;
}

/** What one thread knows from earlier seeds. */
interface Known {
  /** Fingerprints of violations. Seeds come in ascending order, so a violation that was met before has a smaller seed. */
  readonly fingerprints: Set<string>;
  /** The marks that were not reached. */
  readonly marks: Map<string, (world: World) => boolean>;
}

const nothingKnown = ({ sometimes }: ResolvedSystem): Known => ({
  fingerprints: new Set(),
  marks: new Map(sometimes),
});

/** Executes ranges of seeds in the order of their arrival. */
export async function executeRanges(
  system: ResolvedSystem,
  { config }: HuntWork,
  ranges: AsyncIterable<[Range]>,
  answer: (result: RangeResult) => void,
): Promise<void> {
  const executor = new Executor(system, config);
  const known = nothingKnown(system);
  for await (const [range] of ranges) {
    let startedMs = performance.now();
    for await (const part of partsOf(executor, range, known)) {
      answer({ ...part, tookMs: performance.now() - startedMs });
      startedMs = performance.now();
    }
  }
}

/** Executes each range by itself, for other machines: its result does not depend on the ranges before it. */
export function rangeExecutor(system: ResolvedSystem, { config }: HuntWork): ExecuteJob<Range, RangeResult[]> {
  const executor = new Executor(system, config);
  return async (range) => {
    const parts: RangeResult[] = [];
    for await (const part of partsOf(executor, range, nothingKnown(system))) parts.push(part);
    return parts;
  };
}

/** The results of a range: each part but the last ends with a new violation. */
async function* partsOf(executor: Executor, range: Range, known: Known): AsyncGenerator<RangeResult, void> {
  const { fingerprints, marks } = known;
  for (let rest = range; rest.count > 0;) {
    const { summary, thrown } = await executor.execute(rest, { marks, known: fingerprints });
    const givesUp = thrown !== undefined;
    yield { summary, givesUp };
    if (givesUp) return;
    if (summary.violated !== undefined) fingerprints.add(summary.violated.fingerprint);
    for (const mark of summary.seen.reached) marks.delete(mark);
    rest = restOf(rest, summary.executions);
  }
}
