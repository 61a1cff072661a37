import {
  externalOf,
  isInternal,
  type Event,
  type External,
  type ExternalEvent,
  type Internal,
  type Link,
} from '../../trace/event.ts';
import { peerOf } from '../../trace/event-subject.ts';
import { portableText } from '../../trace/json-encoding.ts';
import type { Asking, CandidateSchedule, Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { payloadOf, withPayload } from './payload.ts';
import { replacing } from './replacing.ts';
import { rewritten } from './rewritten.ts';
import { firstSimpler } from './first-simpler.ts';

/** The maximum number of processes that are left out together: one may be needed only because of another. */
const TOGETHER = 3;

/** The maximum number of sets of each size. */
const TRIES = 100;

/**
 * Leaves out whole processes, the least active first: the events at them, all messages to and from them, and their
 * names in lists of the environment, so that other processes do not wait for them.
 */
export const processes = (likeness: Likeness): Pass =>
  function* (failing) {
    let smallest = failing;
    for (let count = 1; count <= TOGETHER;) {
      const smaller: Failing | undefined = yield* withoutSome(smallest, count, likeness);
      count = smaller === undefined ? count + 1 : 1;
      smallest = smaller ?? smallest;
    }
    return smallest;
  };

function* withoutSome(failing: Failing, count: number, likeness: Likeness): Asking<Failing | undefined> {
  const names = byActivity(failing);
  if (names.length <= count) return undefined;
  const gone = combinations(names, count).slice(0, TRIES);
  return yield* firstSimpler(failing, candidatesWithoutEach(failing, gone, likeness));
}

function* candidatesWithoutEach(
  failing: Failing,
  sets: readonly (readonly string[])[],
  likeness: Likeness,
): Generator<CandidateSchedule> {
  for (const gone of sets) yield* candidatesWithout(failing, new Set(gone), likeness);
}

/** The declared and the started processes, the least active first. Some may appear in name only. */
function byActivity({ events, rules }: Failing): string[] {
  const counts = new Map(rules.processes.map((name) => [name, 0]));
  for (const { kind, process } of events) if (kind === 'start') counts.set(process, 0);
  for (const { process } of events) if (counts.has(process)) counts.set(process, (counts.get(process) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => one - other).map(([name]) => name);
}

function combinations<T>(items: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return items.flatMap((item, at) => combinations(items.slice(at + 1), count - 1).map((rest) => [item, ...rest]));
}

/** Without their names in lists; and, if that differs, with their names but without the processes. */
function candidatesWithout(failing: Failing, gone: ReadonlySet<string>, likeness: Likeness): CandidateSchedule[] {
  const { events, targets, rules } = failing;
  const kept = [...events.keys()].filter((at) => {
    const event = events[at] as Event;
    return rules.keeps(event) || !isAbout(event, gone, failing);
  });
  const unlisting = new Map<number, External>();
  for (const at of kept) {
    const event = events[at] as Event;
    const external = isInternal(event) ? undefined : withoutNames(event, gone);
    if (external !== undefined) unlisting.set(at, external);
  }
  const unlisted = unlisting.size > 0 ? [replacing(events, unlisting)] : [];
  const schedules = kept.length < events.length ? [...unlisted, events] : unlisted;
  return schedules.map((all) => ({ events: kept.map((at) => all[at] as Event), likeness, targets }));
}

/** Whether the event cannot happen without these processes. */
function isAbout(event: Event, gone: ReadonlySet<string>, { targets }: Failing): boolean {
  if (gone.has(event.process) || gone.has(peerOf(event) ?? event.process)) return true;
  switch (event.kind) {
    case 'act':
      return gone.has(event.payload as string);
    case 'cut':
    case 'heal':
      return event.links.length > 0 && event.links.every((link) => isLinkOf(link, gone));
    case 'lose':
    case 'duplicate':
    case 'delay':
      return isGone(targets.get(event.target), gone);
    case 'hold':
      return isGone(targets.get(event.target), gone) || isGone(targets.get(event.until), gone);
    default:
      return false;
  }
}

/** The same external without these names in its lists; undefined if it has none of them. */
function withoutNames(event: ExternalEvent, gone: ReadonlySet<string>): External | undefined {
  const external = externalOf(event);
  if (external.kind === 'cut' || external.kind === 'heal') {
    const links = external.links.filter((link) => !isLinkOf(link, gone));
    // An empty list would mean all links.
    return links.length === 0 || links.length === external.links.length ? undefined : { ...external, links };
  }
  const shorter = withPayload(external, rewritten(payloadOf(external), { keeps: (item) => !gone.has(item as string) }));
  const text = (one: External): string => portableText(one, 'the external event');
  return text(shorter) === text(external) ? undefined : shorter;
}

const isGone = (event: Internal | undefined, gone: ReadonlySet<string>): boolean =>
  event !== undefined && (gone.has(event.process) || gone.has(peerOf(event) ?? event.process));

const isLinkOf = ([from, to]: Link, names: ReadonlySet<string>): boolean => names.has(from) || names.has(to);
