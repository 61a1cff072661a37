import { isInternal, type Event, type ExternalEvent } from '../../trace/event.ts';
import { processesOf, typeOf } from '../../trace/event-subject.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import type { Failing, Pass } from '../pass.ts';
import { externalGroups, type Group } from './groups.ts';
import { dropInRound } from './rounds.ts';

/** Drops all externals of one type at once: all messages of a type, all crashes, all cuts. As the tool published with STS does first. */
export const externalsByType = (likeness: Likeness): Pass => wholeKinds(typeOfExternal, likeness);

/** Drops all externals of one process at once. */
export const externalsByProcess = (likeness: Likeness): Pass => wholeKinds(processesOfExternal, likeness);

/** The kinds of an external, which is at this place of an execution. */
type KindsOf = (event: ExternalEvent, at: number, events: readonly Event[]) => readonly string[];

/** None for a start: without all starts nothing happens. */
const typeOfExternal: KindsOf = (event) => (event.kind === 'start' ? [] : [`${event.kind} ${typeOf(event)}`]);

/** An action is about the processes at which its consequences happen. */
const processesOfExternal: KindsOf = (event, at, events) => {
  if (event.kind !== 'act') return processesOf(event);
  const consequences = events.filter((other) => other.cause === at && !isInternal(other));
  return [...new Set(consequences.flatMap(processesOf))];
};

/** Drops all groups of a kind at once, for each kind with several groups, in one round. The largest kinds come first. */
const wholeKinds =
  (kindsOf: KindsOf, likeness: Likeness): Pass =>
  (failing) =>
    dropInRound(failing, wholesBySize(failing, kindsOf), likeness, 'quickly');

/** The groups of each kind that has several, the largest first. A single group is a matter for other passes. */
const wholesBySize = (failing: Failing, kindsOf: KindsOf): readonly Group[] =>
  [...groupsByKind(failing, kindsOf).values()]
    .filter((groups) => groups.length > 1)
    .sort((one, other) => other.length - one.length)
    .map((groups) => groups.flat());

/** A group has the kinds of its first external: a restart goes with its crash. */
function groupsByKind({ events, rules }: Failing, kindsOf: KindsOf): ReadonlyMap<string, readonly Group[]> {
  const found = new Map<string, Group[]>();
  for (const group of externalGroups(events, rules)) {
    const at = group[0] as number;
    for (const kind of kindsOf(events[at] as ExternalEvent, at, events))
      found.set(kind, [...(found.get(kind) ?? []), group]);
  }
  return found;
}
