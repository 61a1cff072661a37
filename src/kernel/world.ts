import type { Event, Internal, Link } from '../trace/event.ts';
import type { ClientOperation } from './client-history.ts';
import type { AnyBehavior, Behavior, StateOf } from './behavior.ts';

/** One process as an oracle sees it. Look, do not touch. */
export interface ProcessView<S extends object = object> {
  /** The name of the process. */
  readonly name: string;
  /** Started, and neither stopped nor crashed. */
  readonly up: boolean;
  /** Undefined while it is not up. */
  readonly state: S | undefined;
  /** How often it has been restarted. */
  readonly restarts: number;
  /** The behavior that it runs. */
  readonly behavior?: AnyBehavior;
  /** Whether the state is a part of itself, as far as it was examined. */
  readonly holdsItself?: boolean;
  /** The durable values by key. */
  readonly disk: ReadonlyMap<string, unknown>;
}

/** One process that is up. */
export interface RunningProcess<S extends object = object> extends ProcessView<S> {
  readonly state: S;
}

/** An exception that a handler did not catch: it crashed its process. */
export interface Failure {
  /** The process that threw. */
  readonly process: string;
  /** What it threw. */
  readonly error: unknown;
}

/** A message that waits until another event has happened. */
export interface HeldBack {
  /** The delivery that waits. */
  readonly message: Internal;
  /** The event that it waits for. */
  readonly until: Internal;
}

/** A message that waits until the clock of the session shows this time. */
export interface Delayed {
  /** The delivery that waits. */
  readonly message: Internal;
  /** When it may happen, on the clock of the session. */
  readonly untilMs: number;
}

/** All process states and pending events, read-only: oracles judge it, and actions read it. */
export interface World<P extends object = Record<string, AnyBehavior>> {
  /** The methods may be taken out of the world, as by `({ process }) => …`. */
  process<N extends keyof P & string>(this: void, name: N): ProcessView<StateOf<P[N]>>;
  /** The processes that are up: all, or those that run this behavior. */
  up(this: void): readonly RunningProcess<StateOf<P[keyof P]>>[];
  up<V extends object>(this: void, behavior: { view(state: never): V }): readonly RunningProcess<V>[];
  up<S extends object, M, T extends string, Sent>(
    this: void,
    behavior: Behavior<S, M, T, Sent>,
  ): readonly RunningProcess<S>[];
  /** Links that are cut now, and lanes that are cut by themselves. */
  readonly cutLinks: readonly Link[];
  /** Messages that the environment holds back, each with the event that it waits for. */
  readonly heldBack: readonly HeldBack[];
  /** Messages that it delays, where the session has a clock. */
  readonly delayed: readonly Delayed[];
  /** The clients' operations so far, or as they were after so many events, in the order of their calls: see `ctx.history`. */
  operations(this: void, events?: number): readonly ClientOperation[];
  /** Everything that waits to happen, whether it may happen now or not. */
  readonly pending: readonly Internal[];
  /** How many events have happened. */
  readonly length: number;
  /** The event that happened last. */
  readonly last: Event | undefined;
  /** Set when the last event ended in an uncaught exception. */
  readonly failure: Failure | undefined;
}
