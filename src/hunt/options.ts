import { HANDLER_MS } from '../kernel/drive.ts';
import type { Weights } from '../kernel/options/weights.ts';
import { amount, callback, count, either, field, flag, text, type FieldsOf } from '../kernel/options/fields.ts';
import {
  BadOption,
  checkWeights,
  handlerFields,
  optionsOf,
  settings,
  signal,
  weights,
} from '../kernel/options/options.ts';
import type { Parameter } from '../system/definition.ts';
import type { SearchProgress } from './report.ts';

export interface SearchOptions {
  /** The first execution's seed, 0 where nothing is said; each further execution takes the next number. */
  readonly seed?: number;
  /** How many executions to try. */
  readonly executions?: number;
  /** How many seconds to try for. */
  readonly seconds?: number;
  /** How many different violations to look for. */
  readonly violations?: number;
  /** How many events an execution may have. */
  readonly eventsMax?: number;
  /** Names of strategies, such as `random,pos,pct:3`; executions take turns. */
  readonly strategy?: string;
  /**
   * How likely an event of each kind is chosen (not by round-robin, which is fair), instead of what the system declares;
   * 1 where nothing is said, 0.25 for timers.
   */
  readonly weights?: Weights;
  /** How much CPU time a handler may have before it is taken to hang, in milliseconds; 5,000 if not said. */
  readonly handlerMs?: number;
  /** Values for the system's parameters. */
  readonly set?: Readonly<Record<string, Parameter>>;
  /**
   * How many threads share the executions, this one among them; the report is the same for any number. The others load
   * the system from its module, of which it must be the default export. `auto`: one for each processor, but not before
   * the hunt has lasted for a while.
   */
  readonly workers?: number | 'auto';
  /**
   * Goes on although executions do not come out the same when they are executed again. A violation is then executed until
   * it comes once more, and written down as it came; a seed means nothing, and there is one worker.
   */
  readonly nondeterministic?: boolean;
  /** Shows what the system prints, on standard error as it happens. Without it, what a handler prints is in the trace alone. */
  readonly verbose?: boolean;
  /** Ends it early: what was found until then is reported. */
  readonly signal?: AbortSignal;
  /** Told now and then how it is getting on. */
  readonly onProgress?: (progress: SearchProgress) => void;
  /** The file that exports the system, from the folder of its package: a trace needs it to be replayed from the file alone. */
  readonly module?: string;
}

/** Found to do well together: each finds bugs that the others take long for. */
export const defaultStrategy = 'random,pos,pct';

const defaults = {
  seed: 0,
  executions: 10_000,
  seconds: Number.POSITIVE_INFINITY,
  violations: 1,
  eventsMax: 1_000,
  strategy: defaultStrategy,
  handlerMs: HANDLER_MS,
  workers: 1 as number | 'auto',
  nondeterministic: false,
};

/** What each option may be. */
export const searchFields: FieldsOf<SearchOptions> = {
  seed: count(0),
  executions: count(1),
  seconds: amount,
  violations: count(1),
  eventsMax: count(1),
  strategy: text,
  weights,
  ...handlerFields,
  set: settings,
  workers: either((given) =>
    typeof given === 'number' ? count(1) : field("a whole number, 1 or more, or 'auto'", (value) => value === 'auto'),
  ),
  nondeterministic: flag,
  signal,
  onProgress: callback,
  module: text,
};

export const searchOptions = optionsOf('search', searchFields);

/** Options that have been checked, with every default filled in. */
export type Bounds = typeof defaults & SearchOptions;

export function boundsOf(options: SearchOptions): Bounds {
  const bounds = { ...defaults, ...options };
  if (bounds.nondeterministic && bounds.workers !== 'auto' && bounds.workers > 1)
    throw new BadOption('several workers need a deterministic system.', 'Omit workers if nondeterministic is true.');
  if (options.weights !== undefined) checkWeights(options.weights);
  return bounds;
}
