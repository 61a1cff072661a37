import type { Event, ExternalEvent, Link } from '../../trace/event.ts';

export type Cut = Extract<ExternalEvent, { kind: 'cut' | 'heal' }>;

/** The links of a cut. If it names none, all links between the processes that have started. */
export function linksOf({ links }: Cut, at: number, events: readonly Event[]): readonly Link[] {
  if (links.length > 0) return links;
  const begun = events.slice(0, at).filter(({ kind }) => kind === 'start' || kind === 'spawn');
  const names = [...new Set(begun.map(({ process }) => process))];
  return names.flatMap((from) => names.filter((to) => to !== from).map((to): Link => [from, to]));
}

/** Whether both are the same direction, as a whole or the same lane. */
export const isSameLink = ([from, to, lane]: Link, [otherFrom, otherTo, otherLane]: Link): boolean =>
  from === otherFrom && to === otherTo && lane === otherLane;
