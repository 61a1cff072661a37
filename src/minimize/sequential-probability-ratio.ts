/** Decides whether an event of this rate would have happened by now, except with probability `error`. */
export class AbsenceTest {
  private chance = 1;

  constructor(
    private readonly rate: number,
    private readonly error: number,
  ) {}

  /** Adds a try without the event; true if that is enough. */
  addMiss(): boolean {
    this.chance *= 1 - this.rate;
    return this.chance <= this.error;
  }
}

/**
 * Wald's sequential probability ratio test between two rates. Tries are added until it decides. It answers `lower` for
 * a rate of at least `high`, and `enough` for a rate of at most `low`, each with a probability of at most `error`. For
 * a rate in between, it may give either answer.
 */
export class RateTest {
  private logRatio = 0;
  private readonly bound: number;

  constructor(
    private readonly high: number,
    private readonly low: number,
    error: number,
  ) {
    this.bound = Math.log(1 / error);
  }

  add(happened: boolean): 'enough' | 'lower' | undefined {
    const { high, low } = this;
    this.logRatio += happened ? Math.log(high / low) : Math.log((1 - high) / (1 - low));
    if (this.logRatio >= this.bound) return 'enough';
    return this.logRatio <= -this.bound ? 'lower' : undefined;
  }
}
