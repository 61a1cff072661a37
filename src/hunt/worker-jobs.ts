import { Executor, restOf, type Range, type RangeSummary, type ExecutionConfig } from './executor.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** The work of a worker that executes ranges of seeds. */
export interface HuntWork {
  readonly kind: 'hunt';
  readonly config: ExecutionConfig;
}

/** The result of a range, or of its first part. */
export interface RangeResult {
  readonly summary: RangeSummary;
  readonly tookMs: number;
  /** The next execution throws, so the thread that runs the hunt has to execute the rest of the range. */
  readonly givesUp: boolean;
}

/** Executes ranges of seeds in the order of their arrival. */
export async function executeRanges(
  system: ResolvedSystem,
  { config }: HuntWork,
  ranges: AsyncIterable<[Range]>,
  answer: (result: RangeResult) => void,
): Promise<void> {
  const executor = new Executor(system, config);
  // Seeds come in ascending order, so a violation that was met before has a smaller seed.
  const known = new Set<string>();
  const marks = new Map(system.sometimes);
  for await (const [range] of ranges) {
    for (let rest = range; rest.count > 0;) {
      const startedMs = performance.now();
      const { summary, thrown } = await executor.execute(rest, { marks, known });
      const givesUp = thrown !== undefined;
      answer({ summary, tookMs: performance.now() - startedMs, givesUp });
      if (givesUp) break;
      if (summary.violated !== undefined) known.add(summary.violated.fingerprint);
      for (const mark of summary.seen.reached) marks.delete(mark);
      rest = restOf(rest, summary.executions);
    }
  }
}
