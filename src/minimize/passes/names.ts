import type { Event } from '../../trace/event.ts';
import { byAppearance, outOfOrder, type Peers } from './name-order.ts';
import type { Asking, CandidateSchedule, Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { renamedEvent, type Renaming } from './renaming.ts';
import { firstSimpler } from './first-simpler.ts';
import { untilFixpoint } from './fixpoint.ts';

/**
 * Lets processes of the same behavior trade places, so that they appear in the order of their names: executions that
 * differ only in names become equal, and easier to read. Only an execution shows whether the exchange makes a
 * difference.
 */
export const names = (likeness: Likeness): Pass => untilFixpoint((failing) => inBetterOrder(failing, likeness));

const inBetterOrder = (failing: Failing, likeness: Likeness): Asking<Failing | undefined> =>
  firstSimpler(
    failing,
    renamings(failing).map((renaming) => renamed(failing, renaming, likeness)),
  );

/** All exchanges at once; each group by itself; then any two peers in the wrong order. */
function renamings({ events, rules }: Failing): Renaming[] {
  const untidy = rules.peers.filter((peers) => outOfOrder(events, peers) > 0);
  const sorted = untidy.map((peers) => moved(byAppearance(events, peers), peers));
  const exchanged = untidy.flatMap((peers) => exchanges(byAppearance(events, peers), peers));
  const all = untidy.length > 1 ? [sorted.flat()] : [];
  return [...all, ...sorted, ...exchanged].map((renaming) => new Map(renaming));
}

/** New names. */
type Moves = [from: string, to: string][];

const moved = (from: readonly string[], to: readonly string[]): Moves =>
  from.flatMap((name, at) => (name === to[at] ? [] : [[name, to[at] as string]]));

function exchanges(appearing: readonly string[], peers: Peers): Moves[] {
  const isLate = (one: string, other: string): boolean => peers.indexOf(one) > peers.indexOf(other);
  return appearing.flatMap((one, at) =>
    appearing
      .slice(at + 1)
      .filter((other) => isLate(one, other))
      .map((other) => moved([one, other], [other, one])),
  );
}

function renamed(failing: Failing, renaming: Renaming, likeness: Likeness): CandidateSchedule {
  const events = failing.events.map((event) => renamedEvent(event, renaming));
  const targets = [...failing.targets].map(
    ([id, message]) => [id, message && renamedEvent(message, renaming)] as const,
  );
  return { events: startedInOrder(events, failing.rules.peers), likeness, targets: new Map(targets), renaming };
}

/** Peers that start before any other event do so in their natural order, at the same positions. */
function startedInOrder(events: readonly Event[], groups: readonly Peers[]): Event[] {
  const ordered = [...events];
  const later = events.findIndex(({ kind }) => kind !== 'start');
  for (const peers of groups) {
    const places = [...events.keys()].slice(0, later).filter((at) => peers.includes((events[at] as Event).process));
    const starts = places.map((at) => events[at] as Event);
    starts.sort((one, other) => peers.indexOf(one.process) - peers.indexOf(other.process));
    for (const [nth, at] of places.entries()) ordered[at] = starts[nth] as Event;
  }
  return ordered;
}
