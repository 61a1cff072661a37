import { Causality } from '../../trace/causality.ts';
import type { Event } from '../../trace/event.ts';
import { halving } from './delta-debugging.ts';
import { minimizeGroups } from './externals.ts';
import { externalGroups, type Group } from './groups.ts';
import type { Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { endsOf } from './provenance.ts';

/**
 * Delta debugging by halves over externals, ordered by their consequences: first those that did not happen before the
 * violation, then those with the fewest consequences. So halves are alike: requests without effect are neighbors and
 * are dropped together, and starts stay together. It does not promise that the result is minimal.
 */
export const externalsByCause =
  (likeness: Likeness): Pass =>
  (failing) =>
    minimizeGroups(failing, byInfluence(failing), likeness, halving);

function byInfluence(failing: Failing): Group[] {
  const { events, rules } = failing;
  const causality = new Causality(events);
  const ends = endsOf(failing);
  const brought = broughtAbout(events);
  const influence = (group: Group): number =>
    group.some((at) => ends.some((end) => causality.happensBefore(at, end)))
      ? Math.max(...group.map((at) => brought[at] as number))
      : 0;
  return externalGroups(events, rules)
    .map((group) => ({ group, influence: influence(group) }))
    .sort((one, other) => one.influence - other.influence)
    .map(({ group }) => group);
}

/** The number of events that each event caused, including itself: through messages, timers and requests. */
function broughtAbout(events: readonly Event[]): number[] {
  const counts = events.map(() => 1);
  for (let at = events.length - 1; at >= 0; at--) {
    const { cause } = events[at] as Event;
    if (cause >= 0) counts[cause] = (counts[cause] as number) + (counts[at] as number);
  }
  return counts;
}
