import { isInternal, type Event } from '../../trace/event.ts';
import { closuresOf } from './closures.ts';
import { dropping } from './dropping.ts';
import type { Group } from './groups.ts';
import type { Asking, CandidateSchedule, Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { renamedEvent, type Renaming } from './renaming.ts';
import { untilFixpoint } from './fixpoint.ts';
import { inTurn } from './in-turn.ts';

/** The maximum number of swaps that are tried. */
const TRIES = 64;

/**
 * Lets two processes of the same behavior trade places from some event on, so that each does what the other did later:
 * one of them may be further ahead, so that less is left to do. Swaps begin where a timer fires or the environment
 * acts, because something new begins there.
 */
export const swaps = (likeness: Likeness): Pass => untilFixpoint((failing) => bySwapping(failing, likeness));

function* bySwapping(failing: Failing, likeness: Likeness): Asking<Failing | undefined> {
  const { events, targets } = failing;
  const tried = new Set<string>();
  const swapped = ({ from, names }: Swap): CandidateSchedule => ({
    events: events.map((event, at) => (at < from ? event : renamedEvent(event, names))),
    likeness,
    targets,
  });
  for (const [{ names }, candidate] of inTurn(swapsOf(failing), swapped)) {
    const { failing: variant } = yield candidate;
    if (variant === undefined || tried.has(nameOf(variant))) continue;
    tried.add(nameOf(variant));
    const smaller = yield* dropIdle(variant, names, likeness);
    if (smaller.events.length < events.length) return smaller;
  }
  return undefined;
}

/** Two processes, and the event from which on they trade places. */
interface Swap {
  readonly from: number;
  readonly names: Renaming;
}

function* swapsOf(failing: Failing): Generator<Swap> {
  let left = TRIES;
  for (const from of swapPoints(failing.events)) {
    for (const names of pairsOf(failing, from)) {
      if (left-- === 0) return;
      yield { from, names };
    }
  }
}

/** Drops the events that are no longer needed, which are events of one of the two processes. */
function* dropIdle(failing: Failing, names: Renaming, likeness: Likeness): Asking<Failing> {
  const about = (groups: readonly Group[], events: readonly Event[]): Group[] =>
    groups.filter(([first = 0]) => names.has((events[first] as Event).process));
  const closures = dropping((events) => about(closuresOf(events), events), likeness, { atMost: 1 });
  const singles = dropping(
    (events) =>
      about(
        [...events.keys()].map((at) => [at]),
        events,
      ),
    likeness,
    { atMost: 1 },
  );
  return yield* singles(yield* closures(failing));
}

/**
 * The indices at which something new begins, the last first. Before the first internal event, a swap is a mere
 * renaming.
 */
function swapPoints(events: readonly Event[]): number[] {
  const first = events.findIndex(isInternal);
  const isNew = (event: Event, at: number): boolean => at > first && (event.kind === 'fire' || !isInternal(event));
  return events.flatMap((event, at) => (isNew(event, at) ? [at] : [])).reverse();
}

/** Pairs of active processes with the same behavior, of which at least one is active later. */
function pairsOf({ events, rules }: Failing, from: number): Renaming[] {
  const taking = new Set(events.filter(({ kind }) => kind !== 'start').map(({ process }) => process));
  const later = new Set(events.slice(from).map(({ process }) => process));
  return rules.peers.flatMap((all) => {
    const peers = all.filter((name) => taking.has(name));
    return peers.flatMap((one, at) =>
      peers
        .slice(at + 1)
        .filter((other) => later.has(one) || later.has(other))
        .map((other) => swapping(one, other)),
    );
  });
}

const swapping = (one: string, other: string): Renaming =>
  new Map([
    [one, other],
    [other, one],
  ]);

const nameOf = ({ events }: Failing): string => events.map(({ hi, lo }) => `${hi} ${lo}`).join();
