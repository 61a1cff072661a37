import { externalOf, type Event, type External, type ExternalEvent } from '../../trace/event.ts';
import { isOwn } from './groups.ts';
import type { Asking, CandidateSchedule, Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { payloadText } from './payload.ts';
import { replacing } from './replacing.ts';
import { firstSimpler } from './first-simpler.ts';

/** The maximum number of simpler contents tried for one external. */
const TRIES = 100;

/**
 * Makes the contents of externals simpler, by values that the system or the generator of the external offers. Nothing
 * else is tried, because the types of the system might forbid it.
 */
export const contents = (likeness: Likeness): Pass =>
  function* (failing) {
    let simplest = failing;
    for (let nth = ownIn(failing.events).length - 1; nth >= 0;) {
      const simpler: Failing | undefined = yield* withSimplerContent(simplest, nth, likeness);
      if (simpler === undefined) nth -= 1;
      else {
        simplest = simpler;
        nth = Math.min(nth, ownIn(simplest.events).length - 1);
      }
    }
    return simplest;
  };

/** The externals that no action caused, with their indices. */
const ownIn = (events: readonly Event[]): [at: number, event: ExternalEvent][] =>
  events.flatMap((event, at) => (isOwn(event, events) ? [[at, event]] : []));

const withSimplerContent = (failing: Failing, nth: number, likeness: Likeness): Asking<Failing | undefined> =>
  firstSimpler(failing, simplerContents(failing, nth, likeness));

function* simplerContents(failing: Failing, nth: number, likeness: Likeness): Generator<CandidateSchedule> {
  const { events, targets, rules } = failing;
  const [at = 0, event] = ownIn(events)[nth] ?? [];
  if (event === undefined) return;
  let tries = 0;
  for (const instead of simplerThan(externalOf(event), rules.shrink)) {
    yield { events: replacing(events, new Map([[at, instead]])), likeness, targets };
    tries += 1;
    if (tries >= TRIES) return;
  }
}

/** Only externals of the same kind and receiver, with simpler content. */
function* simplerThan(external: External, shrink: (external: External) => Iterable<External>): Generator<External> {
  const text = payloadText(external);
  for (const instead of shrink(external)) {
    const shorter = payloadText(instead);
    const isLess = shorter.length === text.length ? shorter < text : shorter.length < text.length;
    if (isLess && placeOf(instead) === placeOf(external)) yield instead;
  }
}

const placeOf = (external: External): string => {
  switch (external.kind) {
    case 'send':
      return `send ${external.to}`;
    case 'act':
      return `act ${external.action}`;
    default:
      return external.kind;
  }
};
