import { amount, callback, chance, count, countOrAuto, countOrEndless, list, text } from '../kernel/options/fields.ts';
import { handlerFields, optionsOf, signal } from '../kernel/options/options.ts';
import type { Trace } from '../trace/format.ts';
import type { PassName } from './pass-registry.ts';
import type { PipelineName } from './pipelines.ts';
import type { MinimizeProgress } from './report.ts';

/** The options of `minimize`. */
export interface MinimizeOptions {
  /**
   * Names of passes, such as `provenance` and `externals:type`, or of pipelines, which are lists of passes, such as
   * `stssched`. Passes take turns until none of them finds anything.
   */
  readonly passes?: readonly (PassName | PipelineName)[];
  /** The maximum number of schedules. */
  readonly schedules?: number;
  /** The time limit. */
  readonly seconds?: number;
  /**
   * For a system that is not deterministic: the probability of losing a candidate that fails as often as the best. 0.01
   * by default.
   */
  readonly error?: number;
  /** The number of states that may be explored to prove that no shorter execution exists; 0 for no proof. See `Certificate`. */
  readonly proofStates?: number;
  /**
   * The number of executions at a time, of a system whose processes act by themselves; 1 by default. May exceed the number of
   * processors. The result is the same for any number if the executions are.
   */
  readonly jobs?: number | 'auto' | undefined;
  /**
   * The number of threads that execute candidates, this one included, of a system whose processes do nothing by themselves; 1 by default.
   * The result is the same for any number. The others load the system from its module, of which it must be the default export. `auto`: one
   * thread per processor, but not before the minimization has lasted for a while.
   */
  readonly workers?: number | 'auto' | undefined;
  /** With several jobs or workers: the module that exports the system by default, relative to its package; by default that of the trace. */
  readonly module?: string | undefined;
  readonly handlerMs?: number | undefined;
  /** Prints the system's output to standard error as it happens. Otherwise a handler's output is only in the trace. */
  readonly verbose?: boolean | undefined;
  /** Ends the minimization early, with the best execution so far. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress every now and then. */
  readonly onProgress?: (progress: MinimizeProgress) => void;
  /** Receives the best execution every now and then, so that a caller can save it. */
  readonly onBest?: (best: Trace) => void;
}

export const minimizeOptions = optionsOf<MinimizeOptions>('minimize', {
  passes: list('a list of names of passes', text),
  schedules: countOrEndless(1),
  seconds: amount,
  error: chance,
  proofStates: count(0),
  jobs: countOrAuto,
  workers: countOrAuto,
  module: text,
  ...handlerFields,
  signal,
  onProgress: callback,
  onBest: callback,
});
