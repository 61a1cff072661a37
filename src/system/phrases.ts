/**
 * The system's own words for its events and states. Traces store them, and stories use them instead of the default
 * wording, which applies if a function returns undefined. They have no effect on executions.
 */
export interface Phrases<S = object, M = unknown, T extends string = string> {
  /** A description of the message for its receiver: `is asked for the lock by client-1`. */
  readonly message?: (message: M, between: { readonly from: string; readonly to: string }) => string | undefined;
  /** A name of the message, wherever one is mentioned: `frame h1 → h2`, as in `sends frame h1 → h2 to s1`. */
  readonly messageName?: (message: M) => string | undefined;
  /** A description of the timer that fires: `gives up waiting`. */
  readonly timer?: (timer: T, process: string) => string | undefined;
  /** A description of the process in this state: `leader of term 3`. */
  readonly state?: (state: S, process: string) => string | undefined;
  /** The changes of the state that an event made: `learns port 1 → output 3`. No texts for changes that are not worth telling. */
  readonly changes?: (before: S, after: S, process: string) => readonly string[] | undefined;
}

/** Phrases with their types erased. */
export type AnyPhrases = Phrases<unknown>;
