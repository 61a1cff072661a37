import type { Odds } from '../../trace/why.ts';

/** Places one after the other at which the odds are the same, as far as can be told. */
export interface OddsSegment {
  readonly first: number;
  readonly last: number;
  /** The part of all their continuations that is violated. */
  readonly share: number;
}

/** Odds that differ by less are not worth a word. */
const WORTH = 0.1;

/** So many standard errors are hardly ever chance, in an execution of as many events as people look at. */
const ERRORS = 3;

type Sample = Pick<Odds, 'violated' | 'sampled'>;

/** Where the odds are not what they were, by more than chance might do. */
export function stretchesOf(odds: readonly Odds[]): OddsSegment[] {
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
  return difference >= WORTH && difference > ERRORS * error;
}
