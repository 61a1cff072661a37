import type { Executed, Range } from './executor.ts';

/**
 * The seeds of a hunt, in order. They are claimed in ranges, by whoever has nothing to do, and what comes of them arrives
 * in any order; it is taken from here in the order of the seeds, so that the hunt's report does not depend on who was
 * faster.
 */
export class SeedQueue {
  private claimed: number;
  /** By their first seeds. */
  private readonly arrived = new Map<number, Executed>();
  private readonly givenBack = new Map<number, Range>();

  constructor(
    /** What came of all seeds before this one has been taken. */
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

  /** What came of the beginning of a range. */
  put(executed: Executed): void {
    this.arrived.set(executed.stretch.first, executed);
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
    this.frontier += next.stretch.executions;
    return next;
  }

  /** Seeds that are next in order and were given back: they are claimed by this. */
  reclaim(): Range | undefined {
    const range = this.givenBack.get(this.frontier);
    this.givenBack.delete(this.frontier);
    return range;
  }
}

/** What is left of a range after so many executions. */
export const restOf = ({ first, count }: Range, executions: number): Range => ({
  first: first + executions,
  count: count - executions,
});
