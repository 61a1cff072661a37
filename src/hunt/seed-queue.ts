import { restOf, type Executed, type Range, type RangeSummary } from './executor.ts';
import type { RangeResult } from './worker-jobs.ts';
import type { JobSource } from '../workers/pool.ts';

/**
 * The seeds of a hunt. Threads claim them in ranges, and results arrive in any order. They are taken in the order of
 * the seeds, so that the report does not depend on which thread was faster.
 */
export class SeedQueue {
  private claimed: number;
  /** Results by first seed. */
  private readonly arrived = new Map<number, Executed>();
  private readonly givenBack = new Map<number, Range>();
  /** Fingerprints of all violations in results. */
  private readonly violations = new Set<string>();

  constructor(
    /** The results of all seeds before this one have been taken. */
    public frontier: number,
    /** The seed after the last. */
    private readonly end: number,
    /** With so many different violations, no further seed is claimed: all that are reported have smaller seeds. */
    private readonly violationsMax = Number.POSITIVE_INFINITY,
  ) {
    this.claimed = frontier;
  }

  get isDone(): boolean {
    return this.frontier >= this.end;
  }

  /**
   * Claims the next unclaimed seeds, at most this number; undefined if there are none. Aligned ranges end before a multiple of that
   * number, wherever the hunt began.
   */
  claim(countMax: number, isAligned = false): Range | undefined {
    const first = this.claimed;
    const count = Math.min(isAligned ? countMax - (first % countMax) : countMax, this.end - first);
    if (count <= 0 || this.violations.size >= this.violationsMax) return undefined;
    this.claimed += count;
    return { first, count };
  }

  /** Adds the result of a range, or of its first part. */
  put(executed: Executed): void {
    const { violated } = executed.summary;
    if (violated !== undefined) this.violations.add(violated.fingerprint);
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
    return this.queue.claim(this.pace.size, this.pace.isAligned);
  }

  nameOf({ first, count }: Range): string {
    return `s-${first}-${count}`;
  }

  async agree(sizeFor: (wanted: number) => Promise<number>): Promise<void> {
    await this.pace.agree?.(sizeFor);
  }

  answered(range: Range, { summary, tookMs, givesUp }: RangeResult): Range | undefined {
    const rest = restOf(range, summary.executions);
    this.queue.put({ summary });
    if (tookMs !== undefined) this.pace.note(summary, tookMs);
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
  /** Whether ranges end at multiples of the size, so that another hunt has the same ones. */
  readonly isAligned?: boolean;
  /** Whether enough executions were timed to share them; always, if this is undefined. */
  readonly isSettled?: boolean;
  note(summary: RangeSummary, tookMs: number): void;
  /** See `JobSource`. */
  agree?(sizeFor: (wanted: number) => Promise<number>): Promise<void>;
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

/** The time that a range should take on another machine: long beside the cost of a job, short beside the time after which a lost one is noticed. */
const FLEET_RANGE_MS = 1_000;

/** The names of so many executions take at most 160 kB. */
const FLEET_SIZE_MAX = 16_384;

/** The CPU time after which the code of a system is as fast as it gets, more or less. */
const SETTLED_MS = 1_000;

/** Adapts the number at first; then all hunts of a campaign have the same ranges. */
export class FleetPace implements QueuePace {
  private readonly first = new AdaptivePace();
  private agreed: number | undefined;
  private sinceMs: number;
  private timedMs = 0;

  /** `cpuMs`: the CPU time of this process. How long others may compute does not depend on how busy this machine is. */
  constructor(private readonly cpuMs: () => number) {
    this.sinceMs = cpuMs();
  }

  get size(): number {
    return this.agreed ?? this.first.size;
  }

  get isAligned(): boolean {
    return this.agreed !== undefined;
  }

  get isSettled(): boolean {
    return this.timedMs >= SETTLED_MS;
  }

  note(summary: RangeSummary): void {
    const tookMs = this.cpuMs() - this.sinceMs;
    this.sinceMs += tookMs;
    this.timedMs += tookMs;
    this.first.note(summary, tookMs);
  }

  async agree(sizeFor: (wanted: number) => Promise<number>): Promise<void> {
    const wanted = (this.first.size * FLEET_RANGE_MS) / RANGE_MS;
    this.agreed ??= await sizeFor(Math.min(FLEET_SIZE_MAX, 2 ** Math.round(Math.log2(wanted))));
  }
}
