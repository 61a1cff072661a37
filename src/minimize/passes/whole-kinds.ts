import type { ExternalEvent } from '../../trace/event.ts';
import { processesOf, typeOf } from '../../trace/event-subject.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import type { Failing, Pass } from '../pass.ts';
import { externalGroups, type Group } from './groups.ts';
import { dropInRound } from './rounds.ts';

/** Drops all externals of one type at once: all messages of a type, all crashes, all cuts. As the tool published with STS does first. */
export const externalsByType = (likeness: Likeness): Pass => wholeKinds(typeOfExternal, likeness);

/** Drops all externals of one process at once. */
export const externalsByProcess = (likeness: Likeness): Pass => wholeKinds(processesOf, likeness);

/** Undefined for a start: without all starts nothing happens. */
const typeOfExternal = (event: ExternalEvent): readonly string[] =>
  event.kind === 'start' ? [] : [`${event.kind} ${typeOf(event)}`];

/** Drops all groups of a kind at once, for each kind with several groups, in one round. The largest kinds come first. */
const wholeKinds =
  (kindsOf: (event: ExternalEvent) => readonly string[], likeness: Likeness): Pass =>
  (failing) =>
    dropInRound(failing, wholesBySize(failing, kindsOf), likeness, 'quickly');

/** The groups of each kind that has several, the largest first. A single group is a matter for other passes. */
const wholesBySize = (failing: Failing, kindsOf: (event: ExternalEvent) => readonly string[]): readonly Group[] =>
  [...groupsByKind(failing, kindsOf).values()]
    .filter((groups) => groups.length > 1)
    .sort((one, other) => other.length - one.length)
    .map((groups) => groups.flat());

/** A group has the kinds of its first external: a restart goes with its crash. */
function groupsByKind(
  { events, rules }: Failing,
  kindsOf: (event: ExternalEvent) => readonly string[],
): ReadonlyMap<string, readonly Group[]> {
  const found = new Map<string, Group[]>();
  for (const group of externalGroups(events, rules))
    for (const kind of kindsOf(events[group[0] as number] as ExternalEvent))
      found.set(kind, [...(found.get(kind) ?? []), group]);
  return found;
}
