import { isInternal, type Event } from '../../trace/event.ts';
import { dropping } from './dropping.ts';
import type { Group } from './groups.ts';
import type { Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';

/** Drops an internal event with everything that it caused, so that no consequence is left to match another event. */
export const closures = (likeness: Likeness): Pass => dropping(closuresOf, likeness, { atMost: 1 });

export function closuresOf(events: readonly Event[]): Group[] {
  const groups: number[][] = events.map(() => []);
  for (const at of events.keys()) {
    for (let from = at; from >= 0; from = (events[from] as Event).cause) groups[from]?.push(at);
  }
  return groups.filter((group) => group.length > 1 && isInternal(events[group[0] as number] as Event));
}
