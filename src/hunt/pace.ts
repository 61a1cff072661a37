import type { RangeSummary } from './executor.ts';

/** How long a range should take: long enough for handing it out to cost nothing, short enough to be heard in between. */
const RANGE_MS = 50;

/** How many executions to claim at a time. What a hunt finds does not depend on it. */
export class Pace {
  private count = 1;

  get size(): number {
    return this.count;
  }

  /** Grows carefully: executions that come later may be longer. */
  note({ executions }: RangeSummary, tookMs: number): void {
    if (executions > 0)
      this.count = Math.max(1, Math.min(this.count * 2, Math.floor((RANGE_MS * executions) / tookMs)));
  }
}
