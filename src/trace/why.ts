import type { Trace } from './format.ts';

/** An execution that is as the recorded one but for one thing. Events are numbered from 1. */
export interface Counterfactual {
  /** An event is left out; moved to just before an earlier one; or something happens that never did in the recording. */
  readonly change: 'without' | 'earlier' | 'added';
  /** The event that is left out or moved. With `added`: the one before which it happens. */
  readonly event: number;
  /** With `earlier`: the event that is overtaken. */
  readonly before?: number;
  /** With `added`: the identity of what happens. It was pending at the end, or was lost on the way. */
  readonly id?: string;
  /** What lies between and has to come along, because what is moved or added needs it. */
  readonly along?: readonly number[];
  /**
   * What comes of it where the rest of the recorded events follow as far as they can. `holds`: nothing is violated.
   * `violated`: the same oracle is, all the same. `other`: another one is. `unknown`: the oracle cannot say. `impossible`:
   * there is no such execution.
   */
  readonly outcome: 'holds' | 'violated' | 'other' | 'unknown' | 'impossible';
  /** With `without`: that it only puts the violation off, which comes when the event happens last of all. */
  readonly isDelayed?: true;
  /** The recorded events that then could not happen, nor anything like them. */
  readonly absent: readonly number[];
  /** One sentence for a reader. */
  readonly what: string;
}

/** How often the violation came where the execution went on by chance after its first `after` events. */
export interface Odds {
  readonly after: number;
  /** So many violate the same oracle. */
  readonly violated: number;
  /** So many violate another one, which ends them. */
  readonly other: number;
  /** How many have an unknown outcome. */
  readonly unknown: number;
  /** Out of so many. */
  readonly sampled: number;
}

/** How continuations were sampled. */
export interface Sampling {
  /** How many from each place. */
  readonly continuations: number;
  readonly seed: number;
  /** How they go on, and for how long: part of a sentence. */
  readonly how: string;
}

/** Why an execution violates what it violates: what would have made a difference, and when it was decided. */
export interface Why {
  /** The name of the oracle that is violated. */
  readonly oracle: string;
  /** The answer in a sentence: the race that matters, or else what can be said. */
  readonly answer: string;
  /** In the order of their events. */
  readonly counterfactuals: readonly Counterfactual[];
  /** Of the changes of order that make the violation disappear, the one that matters most. */
  readonly race?: Counterfactual;
  /** The nearest execution that passes. */
  readonly nearest?: Trace;
  /** What makes it another one. */
  readonly nearestBy?: Counterfactual;
  readonly odds: readonly Odds[];
  readonly sampling: Sampling;
  /** The event with which the odds rose most, before the last one. */
  readonly turn?: number;
  /** The event after which nearly every continuation is violated; 0 where that is so from the start. */
  readonly noReturn?: number;
  /** What was not looked at, and why: sentences. */
  readonly limits: readonly string[];
}
