/** When to do something that takes time itself: not too often, and only for a share of all the time. */
export class Throttle {
  private lastMs = 0;
  private tookMs = 0;

  constructor(
    private readonly leastMs: number,
    /** For each part of the time that it takes, so many pass in between. */
    private readonly parts: number,
  ) {}

  isTime(nowMs: number): boolean {
    return nowMs - this.lastMs >= Math.max(this.leastMs, this.parts * this.tookMs);
  }

  wasDone(fromMs: number, toMs: number): void {
    this.lastMs = toMs;
    this.tookMs = toMs - fromMs;
  }
}
