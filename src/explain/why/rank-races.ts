/** A change of order that makes a violation disappear. */
export interface Helpful {
  /** The event that is moved, or what is added: an index. */
  readonly event: number;
  readonly change: 'without' | 'earlier' | 'added';
  /** Whether both events happen to the same process. */
  readonly isDirect: boolean;
  /** How many events move, are added, or no longer happen. */
  readonly distance: number;
}

/** So many are weighed, the nearest. */
const WEIGHED_MAX = 10;

/**
 * Among which the race is that matters. Events of one process come first: others are independent, and their order makes a
 * difference only to what an oracle sees in between. Where what happened could have happened in another order, that is the
 * answer; a message that never arrived is named where it takes less of a change.
 */
export function contenders<H extends Helpful>(helpful: readonly H[]): readonly H[] {
  const direct = helpful.filter(({ isDirect }) => isDirect);
  const among = direct.length > 0 ? direct : helpful;
  const [earlier = [], added = []] = (['earlier', 'added'] as const).map((kind) => among.filter(isOf(kind)));
  return (nearest(added) < nearest(earlier) ? added : earlier)
    .toSorted((one, other) => one.distance - other.distance || other.event - one.event)
    .slice(0, WEIGHED_MAX);
}

const isOf =
  (kind: Helpful['change']) =>
  ({ change }: Helpful): boolean =>
    change === kind;

const nearest = (some: readonly Helpful[]): number =>
  some.reduce((least, { distance }) => Math.min(least, distance), Number.POSITIVE_INFINITY);

/** By how much a change lowers the share of continuations that are violated, from -1 to 1. */
export interface WeighedRace<H extends Helpful> {
  readonly helpful: H;
  readonly effect: number;
}

/** The one that lowers the odds most, for each event that it changes; of equals the last, which is nearest to the violation. */
export function weightiest<H extends Helpful>(weighed: readonly WeighedRace<H>[]): H | undefined {
  const weight = ({ effect, helpful }: WeighedRace<H>): number => effect / helpful.distance;
  return weighed.toSorted((one, other) => weight(other) - weight(one) || other.helpful.event - one.helpful.event)[0]
    ?.helpful;
}
