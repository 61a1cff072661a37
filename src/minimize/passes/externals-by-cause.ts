import { Causality } from '../../trace/causality.ts';
import type { Event } from '../../trace/event.ts';
import { halving } from './delta-debugging.ts';
import { minimizeGroups } from './externals.ts';
import { externalGroups, type Group } from './groups.ts';
import type { Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { endsOf } from './provenance.ts';

/**
 * Delta debugging by halves over what the environment did, in the order of its consequences: first what did not happen
 * before the violation, then what brought about least. Halves are thus alike: requests that nobody took up lie beside one
 * another and go together, and starts stay together. That what is left cannot be made smaller is for others to show.
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

/** How many events each brought about, itself included: through messages, timers and requests, not by coming before. */
function broughtAbout(events: readonly Event[]): number[] {
  const counts = events.map(() => 1);
  for (let at = events.length - 1; at >= 0; at--) {
    const { cause } = events[at] as Event;
    if (cause >= 0) counts[cause] = (counts[cause] as number) + (counts[at] as number);
  }
  return counts;
}
