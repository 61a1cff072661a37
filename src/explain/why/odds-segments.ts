import type { Odds } from '../../trace/why.ts';

/** Consecutive positions with the same odds, up to sampling error. */
export interface OddsSegment {
  readonly first: number;
  readonly last: number;
  /** The share of their continuations that are violated. */
  readonly share: number;
}

/** Smaller differences are not shown. */
const DIFFERENCE_MIN = 0.1;

/** A difference of this many standard errors is hardly ever due to chance. */
const STANDARD_ERRORS = 3;

type Sample = Pick<Odds, 'violated' | 'sampled'>;

/** Splits the odds into segments that differ by more than chance explains. */
export function segmentsOf(odds: readonly Odds[]): OddsSegment[] {
  const groups: (Sample & { first: number; last: number })[] = [];
  for (const { after, violated, sampled } of odds) {
    const group = groups.at(-1);
    if (group === undefined || isOther(group, { violated, sampled })) {
      groups.push({ first: after, last: after, violated, sampled });
      continue;
    }
    const sum = { violated: group.violated + violated, sampled: group.sampled + sampled };
    groups[groups.length - 1] = { ...sum, first: group.first, last: after };
  }
  return groups.map(({ first, last, violated, sampled }) => ({ first, last, share: violated / sampled }));
}

function isOther(one: Sample, other: Sample): boolean {
  const difference = Math.abs(one.violated / one.sampled - other.violated / other.sampled);
  const share = (one.violated + other.violated) / (one.sampled + other.sampled);
  const error = Math.sqrt(share * (1 - share) * (1 / one.sampled + 1 / other.sampled));
  return difference >= DIFFERENCE_MIN && difference > STANDARD_ERRORS * error;
}
