/**
 * The lower bound of Clopper and Pearson for a rate: the bound exceeds the true rate with a probability of at most
 * `error`. It also holds if the number of successes was fixed in advance, rather than the number of tries.
 */
export function lowerBoundOfRate(seen: number, tries: number, error: number): number {
  let [low, high] = [0, 1];
  for (let halvings = 0; halvings < HALVINGS; halvings++) {
    const middle = (low + high) / 2;
    if (chanceOfAtLeast(seen, tries, middle) <= error) low = middle;
    else high = middle;
  }
  return low;
}

/** Enough for the precision of a number. */
const HALVINGS = 60;

/** The probability of at least `seen` successes in `tries` tries. */
function chanceOfAtLeast(seen: number, tries: number, rate: number): number {
  if (seen === 0) return 1;
  if (rate === 0) return 0;
  let chance = 0;
  let logChoose = 0;
  for (let count = tries; count >= seen; count--) {
    chance += Math.exp(logChoose + count * Math.log(rate) + (tries - count) * Math.log1p(-rate));
    logChoose += Math.log(count) - Math.log(tries - count + 1);
  }
  return chance;
}

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
