import { isInternal, type External } from '../../trace/event.ts';
import type { Steps } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import { faultTransitionsAt, transitionsAt, type Environment, type Transition, type Place } from './transitions.ts';
import { StaleCheckpoint } from './saved.ts';

/** The beginning of all executions of a search, and the environment. */
export interface SearchStart {
  /** Opens a fresh session. */
  readonly open: () => Session;
  /** The externals that happen first, in this order: the starts. */
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

/** The transition of another place, as it is at this one; undefined if it cannot happen here. */
function here(place: Place, transition: Transition, environment: Environment): Transition | undefined {
  const { step: event } = transition;
  if (!isInternal(event)) return place.session.refusal(event) === undefined ? transition : undefined;
  if (place.session.enabled.includes(event)) return transition;
  return transitionsAt(place, environment).find(({ key }) => key === transition.key);
}

/** The place after a transition. While code awaits something, the place before it cannot be copied, and is lost. */
export function* step(from: Place, transition: Transition): Steps<Place> {
  return yield* goOn({ ...from, session: from.session.fork?.() ?? from.session }, transition);
}

/** The same without a copy, for callers that no longer need the place before it. */
export function* goOn(from: Place, transition: Transition): Steps<Place> {
  const { session } = from;
  const { length } = session.world;
  const pending = session.perform(transition.step);
  if (pending !== undefined) yield pending;
  const events = session.recording.events.since(length);
  // The consequences of an action are named by their content. The name of the transition is that of its first event.
  const names = from.names.concat(events.map(({ hi, lo }, at) => (at === 0 ? transition.name : { hi, lo })));
  const threads =
    transition.thread < 0
      ? from.threads
      : from.threads.with(transition.thread, { at: transition.after, since: names.length });
  return { session, names, threads };
}

/** The place after these transitions, from the beginning. */
export const walk = (beginning: SearchStart, transitions: readonly Transition[]): Steps<Place> =>
  retrace(
    beginning,
    transitions.map((transition) => ({ key: transition.key, transition })),
  );

/** A transition that was taken; only its key if another process took it before the check was resumed. */
export interface Footstep {
  readonly key: number;
  readonly transition: Transition | undefined;
}

/** The place after these footsteps, from the beginning. */
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

/** The place after transitions of another place; undefined if one of them cannot happen. */
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
