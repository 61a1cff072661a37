import { Executor, restOf, type Range, type RangeSummary, type ExecutionConfig } from './executor.ts';

import type { ResolvedSystem } from '../system/resolve.ts';

/** A worker that executes ranges of seeds. */
export interface HuntWork {
  readonly kind: 'hunt';
  readonly config: ExecutionConfig;
}

/** The result of a range, or of its beginning. */
export interface RangeResult {
  readonly summary: RangeSummary;
  readonly tookMs: number;
  /** The next execution throws: it is the hunt's own thread that has to see that, and the rest of the range. */
  readonly givesUp: boolean;
}

/** Executes ranges of seeds as they come. */
export async function executeRanges(
  system: ResolvedSystem,
  { config }: HuntWork,
  ranges: AsyncIterable<[Range]>,
  answer: (result: RangeResult) => void,
): Promise<void> {
  const executor = new Executor(system, config);
  // Seeds come in ascending order: what was met before was met at a smaller seed.
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
