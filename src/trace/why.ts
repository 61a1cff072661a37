import type { Trace } from './format.ts';

/** What would have become of the violation, had one event been missing or come earlier. Event numbers count from 1. */
export interface Counterfactual {
  /** The event left out; or moved to just before `before`. */
  readonly change: 'without' | 'earlier';
  readonly event: number;
  /** With 'earlier': the event it would have overtaken. */
  readonly before?: number;
  readonly outcome: 'holds' | 'violated' | 'other' | 'unknown' | 'impossible';
  /** One sentence for a reader. */
  readonly what: string;
}

/** Of so many continuations of the first `after` events, so many are violated. */
export interface Odds {
  readonly after: number;
  readonly violated: number;
  readonly sampled: number;
}

export interface Why {
  readonly counterfactuals: readonly Counterfactual[];
  /** The one that matters most. */
  readonly race?: Counterfactual;
  /** The nearest execution that passes. */
  readonly nearest?: Trace;
  readonly odds: readonly Odds[];
  /** The event after which (nearly) every continuation is violated. */
  readonly noReturn?: number;
}
