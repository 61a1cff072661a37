import type { External, Link } from '../trace/event.ts';

/** What the environment does: constructors for workloads and actions. */

/** Starts a declared process, or one of a declared kind under a new name. */
export const start = (process: string, of?: string, args?: unknown): External<never> => ({
  kind: 'start',
  process,
  ...(of === undefined ? {} : { of }),
  ...(args === undefined ? {} : { args }),
});

/** Stops a process on purpose. */
export const stop = (process: string): External<never> => ({ kind: 'stop', process });

/** Crashes a process: volatile state is lost, the disk is kept. */
export const crash = (process: string): External<never> => ({ kind: 'crash', process });

/** Starts a crashed or stopped process again. Wiped: what survived is lost as well, as with a new disk. */
export const restart = (process: string, { wiped = false } = {}): External<never> => ({
  kind: 'restart',
  process,
  ...(wiped ? { wiped } : {}),
});

/** Pauses a process: it does nothing until it is resumed, keeps its state, and what is meant for it waits. */
export const pause = (process: string): External<never> => ({ kind: 'pause', process });

/** Lets a paused process continue. */
export const resume = (process: string): External<never> => ({ kind: 'resume', process });

/** A message from the environment. */
export const send = <const M>(to: string, message: M): External<Mutable<M>> => ({
  kind: 'send',
  to,
  message: message as Mutable<M>,
});

/**
 * Removes the `readonly` that a `const` type parameter adds, and keeps the literal types. Messages are copied, so this
 * is safe.
 */
type Mutable<T> = T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
  ? T
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** An event that the system defines. */
export const act = (action: string, payload?: unknown): External<never> => ({
  kind: 'act',
  action,
  ...(payload === undefined ? {} : { payload }),
});

type Names = string | readonly string[];

/** One lane of a link, instead of the whole link. */
interface OfLane {
  readonly lane?: string;
}

/** Cuts every link between the two sides, in both directions; with `{ lane }` that lane only. */
export const cut = (a: Names, b: Names, of: OfLane = {}): External<never> => ({
  kind: 'cut',
  links: [...oneWay(a, b, of), ...oneWay(b, a, of)],
});

/** Cuts the links from one side to the other; the opposite direction stays open. */
export const cutOneWay = (from: Names, to: Names, of: OfLane = {}): External<never> => ({
  kind: 'cut',
  links: oneWay(from, to, of),
});

/** Heals what the same `cut` cut: the links, or one lane; without sides, all links and lanes. */
export const heal = (a: Names = [], b: Names = [], of: OfLane = {}): External<never> => ({
  kind: 'heal',
  links: [...oneWay(a, b, of), ...oneWay(b, a, of)],
});

/** Heals one direction only. */
export const healOneWay = (from: Names, to: Names, of: OfLane = {}): External<never> => ({
  kind: 'heal',
  links: oneWay(from, to, of),
});

const oneWay = (from: Names, to: Names, { lane }: OfLane): Link[] =>
  [from].flat().flatMap((a) => [to].flat().map((b): Link => (lane === undefined ? [a, b] : [a, b, lane])));
