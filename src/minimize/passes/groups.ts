import { isConsequence, isInternal, type Event, type ExternalEvent } from '../../trace/event.ts';
import type { Rules } from '../rules.ts';
import { isSameLink } from './cut-links.ts';

/** Indices of events that are kept or dropped together. */
export type Group = readonly number[];

/**
 * Groups of externals that belong together: a crash and the restart after it, a cut and its heal, and the atoms, failures and recoveries
 * that the system declares. The events that an action brings about go with the action.
 */
export function externalGroups(events: readonly Event[], rules: Rules): Group[] {
  const { keeps, atom } = rules;
  const own = ownExternals(events, rules);
  const groups = new Map<number | string, number[]>();
  const taken = new Set<number>();
  for (const one of own) {
    const { event, at } = one;
    if (taken.has(at) || keeps(event)) continue;
    const partner = own.find((other) => other.at > at && !taken.has(other.at) && isFrom(one, other));
    const together = partner === undefined ? [at] : [at, partner.at];
    for (const place of together) taken.add(place);
    const name = atom(event) ?? at;
    groups.set(name, [...(groups.get(name) ?? []), ...together]);
  }
  return [...groups.values()];
}

/** An external that no action caused, with the names of the things that fail or recover by it, where the system says so. */
interface OwnExternal {
  readonly event: ExternalEvent;
  readonly at: number;
  readonly failed: string | undefined;
  readonly recovered: string | undefined;
}

export const ownExternals = (events: readonly Event[], { fails, recovers }: Rules): OwnExternal[] =>
  events.flatMap((event, at) =>
    isOwn(event, events) ? [{ event, at, failed: fails(event), recovered: recovers(event) }] : [],
  );

/** Whether the second is a recovery from the first. */
export const isFrom = ({ event, failed }: OwnExternal, other: OwnExternal): boolean =>
  undoes(event, other.event) || (failed !== undefined && failed === other.recovered);

/**
 * The recoveries that may be left out alone, so that what failed stays failed. A failure without its recovery would be a longer failure
 * than the recorded one, so it is never left out alone. Atoms that the system declares stay whole.
 */
export const recoveriesAlone = (events: readonly Event[], rules: Rules): Group[] =>
  externalGroups(events, rules)
    .filter(([first = 0, ...others]) => others.length === 1 && rules.atom(events[first] as ExternalEvent) === undefined)
    .map(([, recovery = 0]) => [recovery]);

/** Whether the event is an external that no action caused. */
export const isOwn = (event: Event, events: readonly Event[]): event is ExternalEvent =>
  !isInternal(event) && !isConsequence(event, events);

/** The index of the heal that belongs to the cut at this index, or -1. */
export const healOf = (at: number, events: readonly Event[]): number =>
  events.findIndex((event, later) => later > at && isOwn(event, events) && undoes(events[at] as ExternalEvent, event));

/** Whether the second external undoes the first. */
function undoes(first: ExternalEvent, second: ExternalEvent): boolean {
  if (first.kind === 'crash' || first.kind === 'stop')
    return second.kind === 'restart' && second.process === first.process;
  if (first.kind === 'pause') return second.kind === 'resume' && second.process === first.process;
  return first.kind === 'cut' && second.kind === 'heal' && heals(second.links, first.links);
}

type GroupLinks = Extract<ExternalEvent, { kind: 'cut' | 'heal' }>['links'];

/** An empty list means all links. */
const heals = (healed: GroupLinks, cut: GroupLinks): boolean =>
  healed.length === 0 || cut.length === 0 || cut.some((link) => healed.some((other) => isSameLink(link, other)));
