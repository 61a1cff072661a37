import { isInternal, type External } from '../../trace/event.ts';
import type { Steps } from '../../kernel/loop.ts';
import type { Session } from '../../kernel/ports.ts';
import {
  faultTransitionsAt,
  transitionsAt,
  type Environment,
  type Transition,
  type SearchState,
} from './transitions.ts';
import { StaleCheckpoint } from './saved.ts';

/** The beginning of all executions of a search, and the environment. */
export interface SearchStart {
  /** Opens a fresh session. */
  readonly open: () => Session;
  /** The externals that happen first, in this order: the starts. */
  readonly first: readonly External[];
  readonly environment: Environment;
}

/** The state where every execution begins. */
export function* begin({ open, first, environment }: SearchStart): Steps<SearchState> {
  const session = open();
  for (const external of first) {
    const pending = session.perform(external);
    if (pending !== undefined) yield pending;
  }
  const names = session.recording.events.since(0).map(({ hi, lo }) => ({ hi, lo }));
  return { session, names, threads: environment.threads.map(() => ({ at: 0, since: names.length })) };
}

/** The transition of another state, as it is at this one; undefined if it cannot happen here. */
function here(state: SearchState, transition: Transition, environment: Environment): Transition | undefined {
  const { step: event } = transition;
  if (!isInternal(event)) return state.session.refusal(event) === undefined ? transition : undefined;
  if (state.session.enabled.includes(event)) return transition;
  return transitionsAt(state, environment).find(({ key }) => key === transition.key);
}

/** The state after a transition. While code awaits something, the state before it cannot be copied, and is lost. */
export function* step(from: SearchState, transition: Transition): Steps<SearchState> {
  return yield* advance({ ...from, session: from.session.fork?.() ?? from.session }, transition);
}

/** The same without a copy, for callers that no longer need the state before it. */
export function* advance(from: SearchState, transition: Transition): Steps<SearchState> {
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

/** The state after these transitions, from the beginning. */
export const executePrefix = (beginning: SearchStart, transitions: readonly Transition[]): Steps<SearchState> =>
  retrace(
    beginning,
    transitions.map((transition) => ({ key: transition.key, transition })),
  );

/** A transition that was taken; only its key if another process took it before the check was resumed. */
export interface Footstep {
  readonly key: number;
  readonly transition: Transition | undefined;
}

/** The state after these footsteps, from the beginning. */
export function* retrace(beginning: SearchStart, footsteps: Iterable<Footstep>): Steps<SearchState> {
  let state = yield* begin(beginning);
  for (const { key, transition } of footsteps)
    state = yield* advance(state, transition ?? transitionCalled(state, key, beginning));
  return state;
}

function transitionCalled(state: SearchState, wanted: number, { environment }: SearchStart): Transition {
  const isIt = ({ key }: Transition): boolean => key === wanted;
  const transition = transitionsAt(state, environment).find(isIt) ?? faultTransitionsAt(state).find(isIt);
  if (transition === undefined) throw new StaleCheckpoint();
  return transition;
}

/** The state after transitions of another state; undefined if one of them cannot happen. */
export function* executeElsewhere(
  from: SearchState,
  transitions: Iterable<Transition>,
  environment: Environment,
): Steps<SearchState | undefined> {
  let state = from;
  for (const transition of transitions) {
    const found = here(state, transition, environment);
    if (found === undefined) return undefined;
    state = yield* step(state, found);
  }
  return state;
}
