import { amount, callback, count } from '../../kernel/options/fields.ts';
import { handlerFields, optionsOf, signal } from '../../kernel/options/options.ts';

/** The options of `explainWhy`. */
export interface ExplainWhyOptions {
  /** The maximum number of schedules with a change. Some thousands by default, fewer for long executions. */
  readonly schedules?: number;
  /**
   * The number of continuations sampled from each position. 20 to 100 by default, depending on the length of the
   * execution.
   */
  readonly continuations?: number;
  /** The random seed of the continuations; 0 by default. */
  readonly seed?: number;
  /** The time limit. If it is reached, the answer depends on the machine, and says so. */
  readonly seconds?: number;
  /**
   * For a system that is not repeatable: how often each external that the violation may depend on is left out in a replay. 0 by default:
   * then the recording alone is examined.
   */
  readonly replays?: number;
  /** Ends replays of a system that is not repeatable: then the promise rejects, and no session is left. */
  readonly signal?: AbortSignal;
  /** The CPU time that a handler may take before it counts as a hang; 5,000 by default. */
  readonly handlerMs?: number;
  /** Prints the system's output to standard error as it happens. Otherwise a handler's output is only in the trace. */
  readonly verbose?: boolean;
  /** Receives the progress every now and then. */
  readonly onProgress?: (progress: ExplainWhyProgress) => void;
}

/** How far it has come. */
export interface ExplainWhyProgress {
  /** The current stage: changing events, or sampling continuations. */
  readonly stage: 'changes' | 'odds';
  /** Schedules and continuations executed so far. */
  readonly executions: number;
}

export const explainWhyOptions = optionsOf<ExplainWhyOptions>('explainWhy', {
  schedules: count(1),
  continuations: count(1),
  seed: count(0),
  seconds: amount,
  replays: count(0),
  signal,
  ...handlerFields,
  onProgress: callback,
});
