import { restOf, type Executed, type Range, type RangeSummary } from './executor.ts';
import type { RangeResult } from './worker-jobs.ts';
import type { JobSource } from '../workers/worker-pool.ts';

/**
 * The seeds of a hunt, in order. Threads claim them in ranges, and the results arrive
 * in any order; it is taken from here in the order of the seeds, so that the hunt's report does not depend on who was
 * faster.
 */
export class SeedQueue {
  private claimed: number;
  /** By their first seeds. */
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

  /** The next seeds that nobody has, up to so many; undefined where there are none. */
  claim(countMax: number): Range | undefined {
    const first = this.claimed;
    const count = Math.min(countMax, this.end - first);
    if (count <= 0) return undefined;
    this.claimed += count;
    return { first, count };
  }

  /** The result of the beginning of a range. */
  put(executed: Executed): void {
    this.arrived.set(executed.summary.first, executed);
  }

  /** Seeds that were claimed and not executed. */
  giveBack(range: Range): void {
    if (range.count > 0) this.givenBack.set(range.first, range);
  }

  /** What is next in order, if it has arrived. */
  take(): Executed | undefined {
    const next = this.arrived.get(this.frontier);
    if (next === undefined) return undefined;
    this.arrived.delete(this.frontier);
    this.frontier += next.summary.executions;
    return next;
  }

  /** Seeds that are next in order and were given back: they are claimed by this. */
  reclaim(): Range | undefined {
    const range = this.givenBack.get(this.frontier);
    this.givenBack.delete(this.frontier);
    return range;
  }
}

/** Seeds, for workers to execute. */
export class SharedHunt implements JobSource<Range, RangeResult> {
  readonly held = 2;

  constructor(
    private readonly queue: SeedQueue,
    private readonly pace: Pace,
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

/** How long a range should take: long enough for handing it out to cost nothing, short enough to be heard in between. */
const RANGE_MS = 50;

/** How many executions to claim at a time. What a hunt finds does not depend on it. */
export interface Pace {
  readonly size: number;
  note(summary: RangeSummary, tookMs: number): void;
}

/** So many that a range takes a good while, and no more. */
export class AdaptivePace implements Pace {
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
