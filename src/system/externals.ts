import type { External, Link } from '../trace/event.ts';
import type { Concerns, OfProcesses } from './named-processes.ts';

/** What the environment does: constructors for workloads and actions. */

/** An external that concerns these processes; the compiler compares their names with those that the system declares. */
type About<N extends string, M = never> = External<M> & Concerns<OfProcesses<N, M>>;

/**
 * Starts a declared process.
 *
 * @example
 * defineSystem({ processes: { lock, client }, workload: [untilQuiet(), start('client')] });
 */
export function start<const N extends string>(process: N): About<N>;
/** Starts a process of a declared kind, under a new name. */
export function start(process: string, of: string | undefined, args?: unknown): External<never>;
export function start(process: string, of?: string, args?: unknown): External<never> {
  return {
    kind: 'start',
    process,
    ...(of === undefined ? {} : { of }),
    ...(args === undefined ? {} : { args }),
  };
}

/** Stops a process on purpose. */
export const stop = <const N extends string>(process: N): About<N> => ({ kind: 'stop', process });

/**
 * Crashes a process: volatile state is lost, the disk is kept.
 *
 * @example
 * defineSystem({ processes: { lock }, workload: [crash('lock'), restart('lock')] });
 */
export const crash = <const N extends string>(process: N): About<N> => ({ kind: 'crash', process });

/**
 * Starts a crashed or stopped process again. Wiped: what survived is lost as well, as with a new disk.
 *
 * @example
 * defineSystem({ processes: { lock }, workload: [crash('lock'), restart('lock', { wiped: true })] });
 */
export const restart = <const N extends string>(process: N, { wiped = false } = {}): About<N> => ({
  kind: 'restart',
  process,
  ...(wiped ? { wiped } : {}),
});

/** Pauses a process: it does nothing until it is resumed, keeps its state, and what is meant for it waits. */
export const pause = <const N extends string>(process: N): About<N> => ({ kind: 'pause', process });

/** Lets a paused process continue. */
export const resume = <const N extends string>(process: N): About<N> => ({ kind: 'resume', process });

/**
 * A message from the environment.
 *
 * @example
 * defineSystem({ processes: { lock }, workload: [send('lock', { type: 'acquire' })] });
 */
export const send = <const M, const N extends string = string>(to: N, message: M): About<N, Mutable<M>> => ({
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

/** A process, or all processes of a list. */
type Side<N extends string> = N | readonly N[];

/** One lane of a link, instead of the whole link. */
interface OfLane {
  readonly lane?: string;
}

/**
 * Cuts every link between the two sides, in both directions; with `{ lane }` that lane only.
 *
 * @example
 * defineSystem({ processes: { lock, client }, workload: [cut('lock', 'client'), untilQuiet(), heal()] });
 */
export const cut = <const A extends string, const B extends string>(
  a: Side<A>,
  b: Side<B>,
  of: OfLane = {},
): About<A | B> => ({
  kind: 'cut',
  links: [...oneWay(a, b, of), ...oneWay(b, a, of)],
});

/** Cuts the links from one side to the other; the opposite direction stays open. */
export const cutOneWay = <const A extends string, const B extends string>(
  from: Side<A>,
  to: Side<B>,
  of: OfLane = {},
): About<A | B> => ({
  kind: 'cut',
  links: oneWay(from, to, of),
});

/**
 * Heals what the same `cut` cut: the links, or one lane; without sides, all links and lanes.
 *
 * @example
 * defineSystem({ processes: { lock, client }, workload: [cut('lock', 'client'), untilQuiet(), heal('lock', 'client')] });
 */
export const heal = <const A extends string = never, const B extends string = never>(
  a: Side<A> = [],
  b: Side<B> = [],
  of: OfLane = {},
): About<A | B> => ({
  kind: 'heal',
  links: [...oneWay(a, b, of), ...oneWay(b, a, of)],
});

/** Heals one direction only. */
export const healOneWay = <const A extends string, const B extends string>(
  from: Side<A>,
  to: Side<B>,
  of: OfLane = {},
): About<A | B> => ({
  kind: 'heal',
  links: oneWay(from, to, of),
});

const oneWay = (from: Side<string>, to: Side<string>, { lane }: OfLane): Link[] =>
  [from].flat().flatMap((a) => [to].flat().map((b): Link => (lane === undefined ? [a, b] : [a, b, lane])));
