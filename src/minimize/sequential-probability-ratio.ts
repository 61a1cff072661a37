/**
 * The least rate at which it is still as likely as `error` to see so many or more: whatever the rate is, this is above it
 * with a chance of at most `error`. (Clopper and Pearson's bound. It holds as well where one goes on until so many are seen.)
 */
export function rateAtLeast(seen: number, tries: number, error: number): number {
  let [low, high] = [0, 1];
  for (let halvings = 0; halvings < HALVINGS; halvings++) {
    const middle = (low + high) / 2;
    if (chanceOfAtLeast(seen, tries, middle) <= error) low = middle;
    else high = middle;
  }
  return low;
}

/** As fine as a number can be. */
const HALVINGS = 60;

/** How likely so many or more of so many tries succeed. */
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

/** Whether something that happens at this rate would have been seen by now, but for a chance of `error`. */
export class Silence {
  private chance = 1;

  constructor(
    private readonly rate: number,
    private readonly error: number,
  ) {}

  /** Once more nothing; true where that is enough. */
  nothing(): boolean {
    this.chance *= 1 - this.rate;
    return this.chance <= this.error;
  }
}

/**
 * Wald's sequential test between two rates. Tries are added until it decides. It says `lower` of something that happens at
 * the higher rate or more often, and `enough` of something that happens at the lower rate or less, with a chance of at most
 * `error` each; of what lies between it may say either.
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
