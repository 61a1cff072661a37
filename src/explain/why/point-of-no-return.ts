import type { Odds } from '../../trace/why.ts';
import { stretchesOf } from './odds-segments.ts';

/** So many of the continuations count as nearly all. */
const NEARLY_ALL = 0.95;

/** Equal rises come out as different numbers. */
const ROUNDING = 1e-9;

/** Of those that were sampled, the part that is violated. */
const share = ({ violated, sampled }: Odds): number => violated / sampled;

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
  let [most, turn]: [number, number | undefined] = [0, undefined];
  for (const [before, stretch] of pairs(stretchesOf(odds.slice(0, -1)))) {
    const rise = stretch.share - before.share;
    if (rise > most + ROUNDING) [most, turn] = [rise, stretch.first];
  }
  return turn;
}

/** Each with the one before. */
export const pairs = <T>(all: readonly T[]): (readonly [T, T])[] =>
  all.slice(1).map((one, at) => [all[at] as T, one] as const);
