/** A change of order that makes a violation disappear. */
export interface HelpfulChange {
  /** The index of the event that is moved or added. */
  readonly event: number;
  readonly change: 'without' | 'earlier' | 'added';
  /** Whether both events happen at the same process. */
  readonly isDirect: boolean;
  /** The number of events that move, are added, or no longer happen. */
  readonly distance: number;
}

/** At most this many races are weighed, the nearest ones. */
const WEIGHED_MAX = 10;

/**
 * The candidates for the race that matters. Events of one process come first: other events are independent, and their
 * order matters only to an oracle that looks between them. A change of order is preferred to an added message, unless
 * the added message is the smaller change.
 */
export function candidateRaces<H extends HelpfulChange>(helpful: readonly H[]): readonly H[] {
  const direct = helpful.filter(({ isDirect }) => isDirect);
  const among = direct.length > 0 ? direct : helpful;
  const [earlier = [], added = []] = (['earlier', 'added'] as const).map((kind) => among.filter(isOf(kind)));
  return (nearest(added) < nearest(earlier) ? added : earlier)
    .toSorted((one, other) => one.distance - other.distance || other.event - one.event)
    .slice(0, WEIGHED_MAX);
}

const isOf =
  (kind: HelpfulChange['change']) =>
  ({ change }: HelpfulChange): boolean =>
    change === kind;

const nearest = (some: readonly HelpfulChange[]): number =>
  some.reduce((least, { distance }) => Math.min(least, distance), Number.POSITIVE_INFINITY);

/** How much a change lowers the share of violated continuations, from -1 to 1. */
export interface WeighedRace<H extends HelpfulChange> {
  readonly helpful: H;
  readonly effect: number;
}

/** The race that lowers the odds most per changed event; of equal ones the last, which is nearest to the violation. */
export function mostEffective<H extends HelpfulChange>(weighed: readonly WeighedRace<H>[]): H | undefined {
  const weight = ({ effect, helpful }: WeighedRace<H>): number => effect / helpful.distance;
  return weighed.toSorted((one, other) => weight(other) - weight(one) || other.helpful.event - one.helpful.event)[0]
    ?.helpful;
}
