import { amount, callback, count } from '../../kernel/options/fields.ts';
import { handlerFields, optionsOf } from '../../kernel/options/options.ts';

export interface ExplainWhyOptions {
  /** How many schedules may be tried with something changed; some thousands if not said, fewer where they are long. */
  readonly schedules?: number;
  /** How many continuations are sampled from each place: 20 to 100 if not said, by how long the execution is. */
  readonly continuations?: number;
  /** By which continuations are chosen; 0 if not said. */
  readonly seed?: number;
  /** How many seconds it may take. Where they run out, the answer depends on the machine, and says so. */
  readonly seconds?: number;
  readonly handlerMs?: number;
  /** Shows what the system prints, on standard error as it happens. Without it, what a handler prints is in the trace alone. */
  readonly verbose?: boolean;
  /** Told now and then how it is getting on. */
  readonly onProgress?: (progress: ExplainWhyProgress) => void;
}

export interface ExplainWhyProgress {
  /** What is being done: events are changed, or continuations sampled. */
  readonly stage: 'changes' | 'odds';
  /** Schedules and continuations executed so far. */
  readonly executions: number;
}

export const explainWhyOptions = optionsOf<ExplainWhyOptions>('explainWhy', {
  schedules: count(1),
  continuations: count(1),
  seed: count(0),
  seconds: amount,
  ...handlerFields,
  onProgress: callback,
});
