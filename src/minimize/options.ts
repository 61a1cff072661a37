import { amount, callback, chance, count, countOrEndless, list, text } from '../kernel/options/fields.ts';
import { handlerFields, optionsOf, signal } from '../kernel/options/options.ts';
import type { Trace } from '../trace/format.ts';
import type { MinimizeProgress } from './report.ts';

export interface MinimizeOptions {
  /**
   * Names of passes, such as `provenance` and `externals:type`, or of pipelines, which are lists of them, such as `stssched`.
   * They take turns until none of them finds anything.
   */
  readonly passes?: readonly string[];
  /** How many schedules may be executed. */
  readonly schedules?: number;
  /** How many seconds it may take. */
  readonly seconds?: number;
  /** Where the system is not deterministic: the chance of losing a candidate that fails as often as the best, 0.01 if not said. */
  readonly error?: number;
  /** The number of states that may be explored to prove that no shorter execution exists; 0 for no proof. See `Certificate`. */
  readonly proofStates?: number;
  readonly handlerMs?: number | undefined;
  /** Shows what the system prints, on standard error as it happens. Without it, what a handler prints is in the trace alone. */
  readonly verbose?: boolean | undefined;
  /** Ends it early, with what there is by then. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how it is getting on. */
  readonly onProgress?: (progress: MinimizeProgress) => void;
  /** Given the best so far, now and then: a caller that keeps it loses nothing. */
  readonly onBest?: (best: Trace) => void;
}

export const minimizeOptions = optionsOf<MinimizeOptions>('minimize', {
  passes: list('a list of names of passes', text),
  schedules: countOrEndless(1),
  seconds: amount,
  error: chance,
  proofStates: count(0),
  ...handlerFields,
  signal,
  onProgress: callback,
  onBest: callback,
});
