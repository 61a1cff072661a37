import type { Odds } from '../../trace/why.ts';
import { segmentsOf } from './odds-segments.ts';

/** The share of continuations that counts as nearly all. */
const NEARLY_ALL = 0.95;

/** Equal rises may differ by a rounding error. */
const ROUNDING = 1e-9;

/** The share of samples that are violated. */
const share = ({ violated, sampled }: Odds): number => violated / sampled;

/** The event after which nearly every continuation is violated, until the end; undefined if nothing was sampled. */
export function noReturnIn(odds: readonly Odds[]): number | undefined {
  const last = odds.findLastIndex((one) => share(one) < NEARLY_ALL);
  return odds[last + 1]?.after;
}

/**
 * The event with which the odds rose most, the first of several. Undefined if they never rose by more than chance
 * explains. The last event is left out, because it always makes the violation certain.
 */
export function turnIn(odds: readonly Odds[]): number | undefined {
  let [most, turn]: [number, number | undefined] = [0, undefined];
  for (const [before, stretch] of pairs(segmentsOf(odds.slice(0, -1)))) {
    const rise = stretch.share - before.share;
    if (rise > most + ROUNDING) [most, turn] = [rise, stretch.first];
  }
  return turn;
}

/** Each element with the one before it. */
export const pairs = <T>(all: readonly T[]): (readonly [T, T])[] =>
  all.slice(1).map((one, at) => [all[at] as T, one] as const);
