import type { Trace } from './format.ts';

/** How often a violation happened in replays: see `Sampled`. */
export interface ReplayCounts {
  readonly replays: number;
  readonly reproduced: number;
  /** Of the others, how many show nothing. */
  readonly unknown: number;
}

/** An execution that differs from the recorded one in a single change. Events are numbered from 1. */
export interface Counterfactual {
  /**
   * `without`: an event is left out. `earlier`: it moves to just before an earlier event. `added`: an event happens
   * that did not happen in the recording.
   */
  readonly change: 'without' | 'earlier' | 'added';
  /** The event that is left out or moved. With `added`: the event before which the new one happens. */
  readonly event: number;
  /** With `earlier`: the event that is overtaken. */
  readonly before?: number;
  /** With `added`: the identity of the new event. It was pending at the end, or was lost on the way. */
  readonly id?: string;
  /** Events in between that move along, because the moved or added event needs them. */
  readonly along?: readonly number[];
  /**
   * The outcome if the other recorded events follow as far as they can. `holds`: nothing is violated. `violated`: the
   * same oracle is. `other`: another oracle is. `unknown`: the oracle gives no verdict. `impossible`: no such execution
   * exists.
   */
  readonly outcome: 'holds' | 'violated' | 'other' | 'unknown' | 'impossible';
  /** Where executions cannot be repeated: the outcome is that of so many replays. `holds`: not violated in any of them. */
  readonly replays?: ReplayCounts;
  /** With `without`: whether this only delays the violation, which returns if the event happens last. */
  readonly isDelayed?: true;
  /** The recorded events that can no longer happen, nor any event like them. */
  readonly absent: readonly number[];
  /** One sentence for a reader. */
  readonly what: string;
}

/** How often random continuations of the first `after` events are violated. */
export interface Odds {
  /** How many events of the recording the continuations share. */
  readonly after: number;
  /** The number that violate the same oracle. */
  readonly violated: number;
  /** The number that end in a violation of another oracle. */
  readonly other: number;
  /** The number with an unknown outcome. */
  readonly unknown: number;
  /** The number of continuations. */
  readonly sampled: number;
}

/** How continuations were sampled. */
export interface Sampling {
  /** The number per place. */
  readonly continuations: number;
  /** The seed of the first continuation; equal seeds sample the same. */
  readonly seed: number;
  /** How they continue, and for how many events: part of a sentence. */
  readonly how: string;
}

/** Why an execution is violated: the changes that would have prevented it, and when it was decided. */
export interface Why {
  /** The name of the oracle that is violated. */
  readonly oracle: string;
  /** The answer in one sentence: the race that matters, or the best available statement. */
  readonly answer: string;
  /** In the order of their events. */
  readonly counterfactuals: readonly Counterfactual[];
  /** Of the reorderings that prevent the violation, the one that matters most. */
  readonly race?: Counterfactual;
  /** The nearest passing execution. */
  readonly nearest?: Trace;
  /** The change that leads to it. */
  readonly nearestBy?: Counterfactual;
  /** The odds at each place that was sampled, in the order of places. */
  readonly odds: readonly Odds[];
  /** How these odds were sampled, so that they can be repeated. */
  readonly sampling: Sampling;
  /** The event with the largest rise of the odds, except the last event. */
  readonly turn?: number;
  /** The event after which nearly every continuation is violated; 0 if nearly all are from the start. */
  readonly noReturn?: number;
  /** Sentences that say what was not examined, and why. */
  readonly limits: readonly string[];
}
