/** Limits how often something happens, and the share of the time that it takes. */
export class Throttle {
  private lastMs: number;
  private tookMs = 0;

  constructor(
    private readonly leastMs: number,
    /** `parts`: for each part of the time that it takes, so many pass in between. `isDueAtOnce`: the first time need not be waited for. */
    private readonly options: { readonly parts?: number; readonly isDueAtOnce?: boolean } = {},
  ) {
    this.lastMs = options.isDueAtOnce === true ? Number.NEGATIVE_INFINITY : performance.now();
  }

  get isDue(): boolean {
    const { parts = 0 } = this.options;
    return performance.now() - this.lastMs >= Math.max(this.leastMs, parts * this.tookMs);
  }

  /** It has happened, and began then; it took no time if not said. */
  happened(fromMs?: number): void {
    this.lastMs = performance.now();
    this.tookMs = fromMs === undefined ? 0 : this.lastMs - fromMs;
  }
}
