import { expect, test } from 'vitest';
import { lowerBoundOfRate } from '../execution/rate.ts';
import { RateTest, AbsenceTest } from './sequential-probability-ratio.ts';

const rates = [0.05, 0.13, 0.3, 0.5, 0.77, 0.93];
const errors = [0.1, 0.01, 0.001];

test('silence lasts as long as the closed form says', () => {
  for (const rate of rates) {
    for (const error of errors) {
      const silence = new AbsenceTest(rate, error);
      let tries = 1;
      while (!silence.addMiss()) tries += 1;
      const closed = Math.ceil(Math.log(error) / Math.log(1 - rate));
      expect({ rate, error, tries }).toEqual({ rate, error, tries: closed });
    }
  }
});

/** The chances of 0, 1, … successes, one try after the other. */
function distribution(tries: number, rate: number): number[] {
  let chances = [1];
  for (let done = 0; done < tries; done++) {
    const next = Array.from({ length: chances.length + 1 }, () => 0);
    for (const [count, chance] of chances.entries()) {
      next[count] = (next[count] as number) + chance * (1 - rate);
      next[count + 1] = chance * rate;
    }
    chances = next;
  }
  return chances;
}

test('the least rate makes what was seen as unlikely as the error, by adding up all that could have been seen', () => {
  for (const [seen, tries] of [
    [1, 1],
    [1, 7],
    [3, 10],
    [20, 20],
    [20, 41],
    [20, 400],
    [2, 1_000],
  ] as const) {
    for (const error of errors) {
      const rate = lowerBoundOfRate(seen, tries, error);
      const chance = distribution(tries, rate)
        .slice(seen)
        .reduce((sum, one) => sum + one, 0);
      expect(chance / error).toBeCloseTo(1, 6);
    }
  }
});

test('the least rate, where there is a closed form', () => {
  expect(lowerBoundOfRate(20, 20, 0.01)).toBeCloseTo(0.01 ** (1 / 20), 12);
  expect(lowerBoundOfRate(1, 50, 0.01)).toBeCloseTo(1 - 0.99 ** (1 / 50), 12);
  expect(lowerBoundOfRate(0, 50, 0.01)).toBe(0);
});

test('the least rate is above the rate as seldom as it says, where one tries until 20 are seen', () => {
  for (const rate of [0.1, 0.3, 0.5]) {
    let chanceOfTwenty = rate ** 20;
    let above = 0;
    for (let tries = 20; tries < 400; tries++) {
      if (lowerBoundOfRate(20, tries, 0.01) > rate) above += chanceOfTwenty;
      chanceOfTwenty *= (tries / (tries - 19)) * (1 - rate);
    }
    expect(above).toBeLessThanOrEqual(0.01);
    expect(above).toBeGreaterThan(0.001);
  }
});

/** How likely each decision is, and how many tries it takes, by following every way that 2,000 tries can go. */
function decisions(
  high: number,
  low: number,
  error: number,
  rate: number,
): { enough: number; lower: number; tries: number } {
  const found = { enough: 0, lower: 0, tries: 0 };
  let open = new Map([[0, 1]]);
  for (let tries = 0; tries < 2_000; tries++) {
    const next = new Map<number, number>();
    for (const [successes, chance] of open) {
      found.tries += chance;
      for (const happened of [true, false]) {
        const reached = chance * (happened ? rate : 1 - rate);
        const count = successes + (happened ? 1 : 0);
        const decided = after(count, tries + 1 - count, high, low, error);
        if (decided === undefined) next.set(count, (next.get(count) ?? 0) + reached);
        else found[decided] += reached;
      }
    }
    open = next;
  }
  return found;
}

/** The sum does not depend on the order, so the answer depends only on the numbers of hits and misses. */
function after(
  successes: number,
  failures: number,
  high: number,
  low: number,
  error: number,
): 'enough' | 'lower' | undefined {
  const logRatio = successes * Math.log(high / low) + failures * Math.log((1 - high) / (1 - low));
  if (logRatio >= Math.log(1 / error)) return 'enough';
  return logRatio <= Math.log(error) ? 'lower' : undefined;
}

test.each([
  [0.9, 0.225],
  [0.5, 0.125],
  [0.3, 0.075],
  [0.1, 0.05],
])('between the rates %d and %d it errs as seldom as it says', (high, low) => {
  const error = 0.01;
  const [good, bad] = [decisions(high, low, error, high), decisions(high, low, error, low)];
  expect(good.lower).toBeLessThanOrEqual(error);
  expect(bad.enough).toBeLessThanOrEqual(error);
  expect(good.enough + good.lower).toBeCloseTo(1, 3);
  expect(good.lower).toBeGreaterThan(error / 50);
  // Wald's closed form for how long it takes, which leaves out by how much the last try goes beyond the bound.
  const drift = high * Math.log(high / low) + (1 - high) * Math.log((1 - high) / (1 - low));
  expect(good.tries).toBeGreaterThan(((1 - 2 * error) * Math.log(1 / error)) / drift - 1e-6);
});

test('it adds up what the closed form adds up, whatever the order', () => {
  for (let mask = 0; mask < 1 << 10; mask++) {
    const told = new RateTest(0.5, 0.125, 0.01);
    let successes = 0;
    for (let tries = 1; tries <= 10; tries++) {
      const happened = ((mask >> (tries - 1)) & 1) === 1;
      if (happened) successes += 1;
      const said = told.add(happened);
      expect(said).toBe(after(successes, tries - successes, 0.5, 0.125, 0.01));
      if (said !== undefined) break;
    }
  }
});
