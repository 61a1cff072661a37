/**
 * The system's own words, for readers of an execution: written into traces, and told instead of ours. Each may say
 * nothing (undefined), and then we do. They are for people alone: no execution comes out otherwise for them.
 */
export interface Phrases<S = object, M = unknown, T extends string = string> {
  /** What happens to the receiver when the message arrives: `is asked for the lock by client-1`. */
  readonly message?: (message: M, between: { readonly from: string; readonly to: string }) => string | undefined;
  /** What happens when the timer fires: `gives up waiting`. */
  readonly timer?: (timer: T, process: string) => string | undefined;
  /** What the process is in this state: `leader of term 3`. */
  readonly state?: (state: S, process: string) => string | undefined;
}

/** Phrases whose types no longer matter. */
export type AnyPhrases = Phrases<unknown>;
