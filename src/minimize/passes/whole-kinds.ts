import type { ExternalEvent } from '../../trace/event.ts';
import { processesOf, typeOf } from '../../trace/event-subject.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { without, type Failing, type Pass } from '../pass.ts';
import { externalGroups, type Group } from './groups.ts';

/** Drops all externals of one type at once: all messages of a type, all crashes, all cuts. As the tool published with STS does first. */
export const externalsByType = (likeness: Likeness): Pass => wholeKinds(typeOfExternal, likeness);

/** Drops all externals of one process at once. */
export const externalsByProcess = (likeness: Likeness): Pass => wholeKinds(processesOf, likeness);

/** Undefined for a start: without all starts nothing happens. */
const typeOfExternal = (event: ExternalEvent): readonly string[] =>
  event.kind === 'start' ? [] : [`${event.kind} ${typeOf(event)}`];

/** Drops all groups of a kind at once, for each kind with several groups. The largest kinds come first. */
const wholeKinds = (kindsOf: (event: ExternalEvent) => readonly string[], likeness: Likeness): Pass =>
  function* (failing) {
    let smallest = failing;
    for (const kind of kindsBySize(failing, kindsOf)) {
      const dropped = new Set(groupsByKind(smallest, kindsOf).get(kind)?.flat());
      if (dropped.size > 0) smallest = (yield* without(smallest, dropped, likeness)) ?? smallest;
    }
    return smallest;
  };

/** The kinds of several groups, the largest first. A single group is a matter for other passes. */
const kindsBySize = (failing: Failing, kindsOf: (event: ExternalEvent) => readonly string[]): string[] =>
  [...groupsByKind(failing, kindsOf)]
    .filter(([, groups]) => groups.length > 1)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([kind]) => kind);

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
