import { isInternal, type External } from '../../trace/event.ts';
import type { Steps } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import { faultTransitionsAt, transitionsAt, type Environment, type Transition, type Place } from './transitions.ts';
import { StaleCheckpoint } from './saved.ts';

/** Where executions begin, and what is under way in them. */
export interface SearchStart {
  /** A fresh session. */
  readonly open: () => Session;
  /** What happens before anything else, in this order: the starts. */
  readonly first: readonly External[];
  readonly environment: Environment;
}

/** The place where every execution begins. */
export function* begin({ open, first, environment }: SearchStart): Steps<Place> {
  const session = open();
  for (const external of first) {
    const pending = session.perform(external);
    if (pending !== undefined) yield pending;
  }
  const names = session.recording.events.since(0).map(({ hi, lo }) => ({ hi, lo }));
  return { session, names, threads: environment.threads.map(() => ({ at: 0, since: names.length })) };
}

/** A transition that was found elsewhere, as it is here; undefined where it cannot happen here. */
function here(place: Place, transition: Transition, environment: Environment): Transition | undefined {
  const { step: event } = transition;
  if (!isInternal(event)) return place.session.refusal(event) === undefined ? transition : undefined;
  if (place.session.enabled.includes(event)) return transition;
  return transitionsAt(place, environment).find(({ key }) => key === transition.key);
}

/** Where a transition leads. The place it begins at is lost where code awaits something: then it cannot be copied. */
export function* step(from: Place, transition: Transition): Steps<Place> {
  return yield* goOn({ ...from, session: from.session.fork?.() ?? from.session }, transition);
}

/** The same, where nobody needs the place it begins at any more: nothing is copied. */
export function* goOn(from: Place, transition: Transition): Steps<Place> {
  const { session } = from;
  const { length } = session.world;
  const pending = session.perform(transition.step);
  if (pending !== undefined) yield pending;
  const events = session.recording.events.since(length);
  // What an action brings about is named by what it says: the transition's own name is that of its first event.
  const names = from.names.concat(events.map(({ hi, lo }, at) => (at === 0 ? transition.name : { hi, lo })));
  const threads =
    transition.thread < 0
      ? from.threads
      : from.threads.with(transition.thread, { at: transition.after, since: names.length });
  return { session, names, threads };
}

/** Where these transitions lead, from the beginning. */
export const walk = (beginning: SearchStart, transitions: readonly Transition[]): Steps<Place> =>
  retrace(
    beginning,
    transitions.map((transition) => ({ key: transition.key, transition })),
  );

/** A transition that was made; only its key where that was in another process, before this one went on. */
export interface Footstep {
  readonly key: number;
  readonly transition: Transition | undefined;
}

/** Where footsteps lead, from the beginning. */
export function* retrace(beginning: SearchStart, footsteps: Iterable<Footstep>): Steps<Place> {
  let place = yield* begin(beginning);
  for (const { key, transition } of footsteps)
    place = yield* goOn(place, transition ?? transitionCalled(place, key, beginning));
  return place;
}

function transitionCalled(place: Place, wanted: number, { environment }: SearchStart): Transition {
  const isIt = ({ key }: Transition): boolean => key === wanted;
  const transition = transitionsAt(place, environment).find(isIt) ?? faultTransitionsAt(place).find(isIt);
  if (transition === undefined) throw new StaleCheckpoint();
  return transition;
}

/** Where transitions of another place lead from this one; undefined where one of them cannot happen. */
export function* walkElsewhere(
  from: Place,
  transitions: Iterable<Transition>,
  environment: Environment,
): Steps<Place | undefined> {
  let place = from;
  for (const transition of transitions) {
    const found = here(place, transition, environment);
    if (found === undefined) return undefined;
    place = yield* step(place, found);
  }
  return place;
}
