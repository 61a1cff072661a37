import type { External } from '../trace/event.ts';

/**
 * The system's own words for its events and states. Traces store them, and stories use them instead of the default
 * wording, which applies if a function returns undefined. They have no effect on executions.
 */
export interface Phrases<S = object, M = unknown, T extends string = string> {
  /** A description of the message for its receiver: `is asked for the lock by client-1`. */
  readonly message?: (message: M, between: Between<S>) => string | undefined;
  /** A name of the message, wherever one is mentioned: `frame h1 → h2`, as in `sends frame h1 → h2 to s1`. */
  readonly messageName?: (message: M) => string | undefined;
  /** Whether the message is routine, such as part of a handshake: several of them in a row, without a change worth telling, are one line of a story. */
  readonly isRoutine?: (message: M) => boolean;
  /** A description of an event of the environment: `moves h1 to s2`. */
  readonly external?: (external: External<M>) => string | undefined;
  /** A description of the timer that fires: `gives up waiting`. */
  readonly timer?: (timer: T, process: string) => string | undefined;
  /** A description of the process in this state: `leader of term 3`. */
  readonly state?: (state: S, process: string) => string | undefined;
  /** The changes of the state that an event made: `learns port 1 → output 3`. No texts for changes that are not worth telling. */
  readonly changes?: (before: S, after: S, process: string) => readonly string[] | undefined;
}

/** The ends of a message, and the state of its receiver before and after it; undefined without a state, and for a very large one. */
interface Between<S> {
  readonly from: string;
  readonly to: string;
  readonly before?: S;
  readonly after?: S;
}

/** Phrases with their types erased. */
export type AnyPhrases = Phrases<unknown>;
