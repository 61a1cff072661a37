import { printable } from '../../text/printable.ts';
import type { EventLine } from '../../trace/format.ts';

/** The place of the code that handled each event, as `lock.ts:31`; null or undefined if unknown. */
export type EventPlaces = readonly (string | null | undefined)[];

/** At most this many processes are named beside a place. */
const NAMES_MAX = 3;

/**
 * The places of a step. If its processes have different places, each place is followed by their names. Empty if no
 * place is known.
 */
export function stepPlaces(who: readonly string[], lines: readonly EventLine[], places: EventPlaces): string {
  const byPlace = new Map<string, Set<string>>();
  for (const { event, process } of lines) {
    const place = places[event - 1];
    if (typeof place !== 'string') continue;
    byPlace.set(place, (byPlace.get(place) ?? new Set()).add(printable(process)));
  }
  if (byPlace.size === 0) return '';
  const isCommon = ({ size }: ReadonlySet<string>): boolean => who.length === 1 || size === who.length;
  const told = [...byPlace].map(([place, names]) =>
    isCommon(names) ? printable(place) : `${printable(place)} (${few([...names])})`,
  );
  return `at ${told.join(', ')}`;
}

const few = (names: readonly string[]): string =>
  names.length <= NAMES_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMES_MAX - 1).join(', ')}, … ${names.length - NAMES_MAX + 1} more`;
