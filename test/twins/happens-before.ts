import { ENVIRONMENT, type Event } from 'culprit/trace';

/** The slow and obvious twin of `Causality.past`: breadth first over the direct predecessors. */
export function pastBySearch(events: readonly Event[], b: number): Set<number> {
  const found = new Set<number>();
  const queue = directPredecessors(events, b);
  for (const at of queue) {
    if (found.has(at)) continue;
    found.add(at);
    queue.push(...directPredecessors(events, at));
  }
  return found;
}

/** The cause, and the event before it in its process. The environment is not one process. */
function directPredecessors(events: readonly Event[], at: number): number[] {
  const { process, cause } = events[at] as Event;
  if (process === ENVIRONMENT) return cause < 0 ? [] : [cause];
  let previous = at - 1;
  while (previous >= 0 && events[previous]?.process !== process) previous -= 1;
  return [cause, previous].filter((index) => index >= 0);
}
