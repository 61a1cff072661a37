import type { Range, RangeSummary } from './executor.ts';
import { restOf, type SeedQueue } from './seed-queue.ts';
import type { RangeResult } from './worker-jobs.ts';
import type { JobSource } from '../workers/worker-pool.ts';

/** How many executions to claim at a time. */
export interface Pace {
  readonly size: number;
  note(stretch: RangeSummary, tookMs: number): void;
}

/** Seeds, for workers to execute. */
export class SharedHunt implements JobSource<Range, RangeResult> {
  readonly held = 2;

  constructor(
    private readonly ledger: SeedQueue,
    private readonly pace: Pace,
  ) {}

  next(): Range | undefined {
    return this.ledger.claim(this.pace.size);
  }

  answered(range: Range, { stretch, tookMs, givesUp }: RangeResult): Range | undefined {
    const rest = restOf(range, stretch.executions);
    this.ledger.put({ stretch });
    this.pace.note(stretch, tookMs);
    if (givesUp) this.ledger.giveBack(rest);
    return givesUp || rest.count === 0 ? undefined : rest;
  }

  giveBack(range: Range): void {
    this.ledger.giveBack(range);
  }
}
