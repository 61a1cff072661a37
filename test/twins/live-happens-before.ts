import type { Event } from 'culprit/trace';

/**
 * Happens-before where processes do things by themselves, by brute force: which event follows directly from which, and the
 * transitive closure of that, pair by pair.
 */
export function happensBefore(events: readonly Event[]): boolean[][] {
  const before = events.map((one, at) => events.map((other, later) => at < later && isDirect(one, at, other)));
  // Floyd and Warshall.
  for (const [middle] of events.entries())
    for (const [from] of events.entries())
      for (const [to] of events.entries())
        if (before[from]?.[middle] === true && before[middle]?.[to] === true) before[from][to] = true;
  return before;
}

/** The other event was caused by the one, or happens later at a process that the one touches. */
const isDirect = (one: Event, at: number, other: Event): boolean =>
  other.cause === at || touched(one).includes(other.process);

/** The processes whose later events may depend on the event. */
function touched(event: Event): readonly string[] {
  if (event.kind === 'send') return [event.to];
  if (event.kind === 'cut' || event.kind === 'heal') return event.links.flatMap(([from, to]) => [from, to]);
  const isOfNoProcess = event.kind === 'lose' || event.kind === 'duplicate' || event.kind === 'act';
  return isOfNoProcess ? [] : [event.process];
}
