import { isConsequence, isInternal, type Event, type ExternalEvent } from '../../trace/event.ts';
import type { Rules } from '../rules.ts';

/** Indices of events that are kept or dropped together. */
export type Group = readonly number[];

/**
 * What the environment did, in groups that make sense by themselves: a crash with the restart that follows it, a cut with
 * the heal that mends it, and what the system calls an atom. What an action brings about goes with the action.
 */
export function externalGroups(events: readonly Event[], { keeps, atom }: Rules): Group[] {
  const own = events.flatMap((event, at) => (isOwn(event, events) ? [{ event, at }] : []));
  const groups = new Map<number | string, number[]>();
  const taken = new Set<number>();
  for (const { event, at } of own) {
    if (taken.has(at) || keeps(event)) continue;
    const partner = own.find((other) => other.at > at && !taken.has(other.at) && undoes(event, other.event));
    const together = partner === undefined ? [at] : [at, partner.at];
    for (const one of together) taken.add(one);
    const name = atom(event) ?? at;
    groups.set(name, [...(groups.get(name) ?? []), ...together]);
  }
  return [...groups.values()];
}

/** Whether the environment did it by itself, and not by way of an action. */
export const isOwn = (event: Event, events: readonly Event[]): event is ExternalEvent =>
  !isInternal(event) && !isConsequence(event, events);

/** The place of the heal that belongs to the cut at this place; -1 where there is none. */
export const healOf = (at: number, events: readonly Event[]): number =>
  events.findIndex((event, later) => later > at && isOwn(event, events) && undoes(events[at] as ExternalEvent, event));

/** Whether the second takes back what the first did. */
function undoes(first: ExternalEvent, second: ExternalEvent): boolean {
  if (first.kind === 'crash' || first.kind === 'stop')
    return second.kind === 'restart' && second.process === first.process;
  return first.kind === 'cut' && second.kind === 'heal' && heals(second.links, first.links);
}

type GroupLinks = Extract<ExternalEvent, { kind: 'cut' | 'heal' }>['links'];

/** No links mean all of them. */
const heals = (healed: GroupLinks, cut: GroupLinks): boolean =>
  healed.length === 0 || cut.length === 0 || cut.some(([from, to]) => healed.some(([a, b]) => a === from && b === to));
