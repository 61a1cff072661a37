import { restOf, type Executed, type Range, type RangeSummary } from './executor.ts';
import type { RangeResult } from './worker-jobs.ts';
import type { JobSource } from '../workers/worker-pool.ts';

/**
 * The seeds of a hunt. Threads claim them in ranges, and results arrive in any order. They are taken in the order of
 * the seeds, so that the report does not depend on which thread was faster.
 */
export class SeedQueue {
  private claimed: number;
  /** Results by first seed. */
  private readonly arrived = new Map<number, Executed>();
  private readonly givenBack = new Map<number, Range>();

  constructor(
    /** The results of all seeds before this one have been taken. */
    public frontier: number,
    /** The seed after the last. */
    private readonly end: number,
  ) {
    this.claimed = frontier;
  }

  get isDone(): boolean {
    return this.frontier >= this.end;
  }

  /** Claims the next unclaimed seeds, at most this number; undefined if there are none. */
  claim(countMax: number): Range | undefined {
    const first = this.claimed;
    const count = Math.min(countMax, this.end - first);
    if (count <= 0) return undefined;
    this.claimed += count;
    return { first, count };
  }

  /** Adds the result of a range, or of its first part. */
  put(executed: Executed): void {
    this.arrived.set(executed.summary.first, executed);
  }

  /** Returns seeds that were claimed and not executed. */
  giveBack(range: Range): void {
    if (range.count > 0) this.givenBack.set(range.first, range);
  }

  /** The next result in order, if it has arrived. */
  take(): Executed | undefined {
    const next = this.arrived.get(this.frontier);
    if (next === undefined) return undefined;
    this.arrived.delete(this.frontier);
    this.frontier += next.summary.executions;
    return next;
  }

  /** Claims the returned seeds that are next in order. */
  reclaim(): Range | undefined {
    const range = this.givenBack.get(this.frontier);
    this.givenBack.delete(this.frontier);
    return range;
  }
}

/** Gives ranges of seeds to workers. */
export class SharedHunt implements JobSource<Range, RangeResult> {
  readonly held = 2;

  constructor(
    private readonly queue: SeedQueue,
    private readonly pace: QueuePace,
  ) {}

  next(): Range | undefined {
    return this.queue.claim(this.pace.size);
  }

  answered(range: Range, { summary, tookMs, givesUp }: RangeResult): Range | undefined {
    const rest = restOf(range, summary.executions);
    this.queue.put({ summary });
    this.pace.note(summary, tookMs);
    if (givesUp) this.queue.giveBack(rest);
    return givesUp || rest.count === 0 ? undefined : rest;
  }

  giveBack(range: Range): void {
    this.queue.giveBack(range);
  }
}

/** The time that a range should take: long enough for handing it out to cost nothing, short enough for messages in between. */
const RANGE_MS = 50;

/** The number of executions to claim at a time. The findings of a hunt do not depend on it. */
export interface QueuePace {
  readonly size: number;
  note(summary: RangeSummary, tookMs: number): void;
}

/** Adapts the number so that a range takes about `RANGE_MS`. */
export class AdaptivePace implements QueuePace {
  private count = 1;

  get size(): number {
    return this.count;
  }

  /** Grows slowly, because later executions may be longer. */
  note({ executions }: RangeSummary, tookMs: number): void {
    if (executions > 0)
      this.count = Math.max(1, Math.min(this.count * 2, Math.floor((RANGE_MS * executions) / tookMs)));
  }
}
