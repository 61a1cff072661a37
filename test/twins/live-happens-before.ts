import type { Event } from 'culprit/trace';

/**
 * Happens-before where processes do things by themselves, by brute force: which event follows directly from which, and the
 * transitive closure of that, pair by pair.
 */
export const happensBefore = (events: readonly Event[]): boolean[][] => closure(events, (event) => [placeOf(event)]);

function closure(events: readonly Event[], placesOf: (event: Event) => readonly string[]): boolean[][] {
  /** The other event was caused by the one, or happens later at a process that the one touches. */
  const isDirect = (one: Event, at: number, other: Event): boolean =>
    other.cause === at || touched(one).some((process) => placesOf(other).includes(process));
  const before = events.map((one, at) => events.map((other, later) => at < later && isDirect(one, at, other)));
  // Floyd and Warshall.
  for (const [middle] of events.entries())
    for (const [from] of events.entries())
      for (const [to] of events.entries())
        if (before[from]?.[middle] === true && before[middle]?.[to] === true) before[from][to] = true;
  return before;
}

/**
 * What has to wait for the appearance of each event: what happens later at the process that sent it, what depends on that, and what
 * depends on the event itself. A cut waits for what happened to the ends of its link before, and a heal does.
 */
export function waitsFor(events: readonly Event[]): boolean[][] {
  const placesOf = (event: Event): readonly string[] => [placeOf(event), ...cutProcesses(event)];
  const before = closure(events, placesOf);
  return events.map((one, at) => {
    const direct = events.flatMap((other, later) =>
      later > at && one.kind === 'deliver' && placesOf(other).includes(one.from) ? [later] : [],
    );
    return events.map(
      (_, later) =>
        before[at]?.[later] === true || direct.some((middle) => middle === later || before[middle]?.[later] === true),
    );
  });
}

/** Where the event happens; what the environment sends will happen at its receiver. */
const placeOf = (event: Event): string => (event.kind === 'send' ? event.to : event.process);

/** The processes whose later events may depend on the event. A message that is sent touches nothing before its delivery. */
function touched(event: Event): readonly string[] {
  if (event.kind === 'cut' || event.kind === 'heal') return cutProcesses(event);
  const isOfNoProcess = ['lose', 'duplicate', 'hold', 'act', 'send'].includes(event.kind);
  return isOfNoProcess ? [] : [event.process];
}

const cutProcesses = (event: Event): readonly string[] =>
  event.kind === 'cut' || event.kind === 'heal' ? event.links.flatMap(([from, to]) => [from, to]) : [];
