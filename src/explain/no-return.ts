import type { Odds } from '../trace/why.ts';

/** So many of the continuations count as nearly all. */
const NEARLY_ALL = 0.95;

/** Of so few more nothing is said. */
const RISE_MIN = 0.1;

/** Of those that were sampled, the part that is violated. */
export const share = ({ violated, sampled }: Odds): number => violated / sampled;

/** After which event nearly every continuation is violated, and stays so; undefined where nothing was sampled. */
export function noReturnIn(odds: readonly Odds[]): number | undefined {
  const last = odds.findLastIndex((one) => share(one) < NEARLY_ALL);
  return odds[last + 1]?.after;
}

/**
 * With which event the odds rose most before the violation was there, the first of equals; undefined where they never rose by
 * more than chance might do. That the last event makes it certain is no news.
 */
export function turnIn(odds: readonly Odds[]): number | undefined {
  let [most, turn]: [number, number | undefined] = [RISE_MIN, undefined];
  for (const [at, one] of odds.slice(0, -1).entries()) {
    const before = odds[at - 1];
    const rise = before === undefined ? 0 : (one.violated - before.violated) / one.sampled;
    if (rise > most) [most, turn] = [rise, one.after];
  }
  return turn;
}
