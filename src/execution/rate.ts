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

/** The lowest and the highest rate that a sample leaves possible. */
export type Interval = readonly [low: number, high: number];

/** Both bounds together are wrong with this probability. */
const ERROR = 0.05;

/** The interval of Clopper and Pearson for a rate. Tries of which nothing is known may have been successes or not. */
export const rateInterval = (seen: number, tries: number, unknown = 0): Interval => [
  lowerBoundOfRate(seen, tries, ERROR / 2),
  1 - lowerBoundOfRate(tries - seen - unknown, tries, ERROR / 2),
];
