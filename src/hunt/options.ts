import { HANDLER_MS } from '../kernel/drive.ts';
import type { StrategyName } from '../schedule/strategies.ts';
import type { Weights } from '../kernel/options/weights.ts';
import {
  amount,
  callback,
  count,
  countOrAuto,
  either,
  flag,
  list,
  text,
  type FieldsOf,
} from '../kernel/options/fields.ts';
import {
  BadOption,
  checkWeights,
  handlerFields,
  optionsOf,
  settings,
  signal,
  weights,
} from '../kernel/options/options.ts';
import type { Parameters, Settings } from '../system/definition.ts';
import type { SearchProgress } from './report.ts';
import type { StartPool } from '../workers/pool.ts';
import type { Takeover } from './takeover.ts';

/** The options of `search`: how many executions, of which seeds, by which strategies. */
export interface SearchOptions<D extends Parameters = Parameters> {
  /** The seed of the first execution, 0 by default; each further execution takes the next number. */
  readonly seed?: number;
  /** The number of executions. */
  readonly executions?: number;
  /** The time limit in seconds. */
  readonly seconds?: number;
  /** Stop after this number of different violations. */
  readonly violations?: number;
  /**
   * The maximum number of events of one execution: 1,000 by default, and 100,000 where processes act by themselves, since there the clock
   * ends an execution (`pace.executionMs`).
   */
  readonly eventsMax?: number;
  /** A strategy, or several of which executions take turns: `['random', 'pos', 'pct:3']`. By default `random`, `pos` and `pct`. */
  readonly strategy?: StrategyName | readonly StrategyName[];
  /**
   * The relative probability of each kind of event, instead of the weights that the system declares; 1 by default, 0.25
   * for timers. Round-robin is fair and ignores weights.
   */
  readonly weights?: Weights;
  /** The CPU time, in milliseconds, after which a handler counts as hanging; 5,000 by default. */
  readonly handlerMs?: number;
  /** Values for the system's parameters. */
  readonly set?: Settings<D>;
  /**
   * The number of threads that share the executions, this one included; the report is the same for any number. The
   * others load the system from its module, of which it must be the default export. `auto`: one thread per processor,
   * but not before the hunt has lasted for a while.
   */
  readonly workers?: number | 'auto';
  /**
   * The number of executions at a time, of a system whose processes act by themselves; 1 by default. May exceed the number of
   * processors. Each has a thread of its own, which loads the system from its module, of which it must be the default export.
   */
  readonly jobs?: number | 'auto';
  /**
   * Whether the search of a system whose processes act by themselves begins with control executions: one without any input, and two
   * without faults. True by default.
   */
  readonly control?: boolean;
  /**
   * Continues although executions do not repeat. A violation is then executed until it happens once more, and that
   * execution is recorded. A seed means nothing, and there is one worker.
   */
  readonly nondeterministic?: boolean;
  /** Shows the output of the system on standard error as it happens. By default, the output of a handler is in the trace only. */
  readonly verbose?: boolean;
  /** Ends the search early, with a report of everything found so far. */
  readonly signal?: AbortSignal;
  /** Receives the progress now and then. */
  readonly onProgress?: (progress: SearchProgress) => void;
  /** The file that exports the system, from the folder of its package: a trace needs it to be replayed from the file alone. */
  readonly module?: string;
}

/** A combination that does well: each strategy finds bugs that the others take long for. */
export const defaultStrategies: readonly StrategyName[] = ['random', 'pos', 'pct'];

/** The default of `eventsMax` where processes act by themselves: programs that keep in touch make hundreds of events a second. */
export const UNCONTROLLED_EVENTS_MAX = 100_000;

const defaults = {
  seed: 0,
  executions: 10_000,
  seconds: Number.POSITIVE_INFINITY,
  violations: 1,
  eventsMax: 1_000,
  strategy: defaultStrategies as StrategyName | readonly StrategyName[],
  handlerMs: HANDLER_MS,
  workers: 1 as number | 'auto',
  jobs: 1 as number | 'auto',
  control: true,
  nondeterministic: false,
};

/** The type of each option. */
export const searchFields: FieldsOf<SearchOptions> = {
  seed: count(0),
  executions: count(1),
  seconds: amount,
  violations: count(1),
  eventsMax: count(1),
  strategy: either((given) =>
    typeof given === 'string' ? text : list('a name of a strategy, or a list of names', text),
  ),
  weights,
  ...handlerFields,
  set: settings,
  workers: countOrAuto,
  jobs: countOrAuto,
  control: flag,
  nondeterministic: flag,
  signal,
  onProgress: callback,
  module: text,
};

export const searchOptions = optionsOf('search', searchFields);

/** The options of a search by a command: a user may take executions over, or other machines share them. */
export interface CommandOptions extends SearchOptions {
  readonly takeover?: Takeover | undefined;
  /** Starts the workers of other machines. */
  readonly fleet?: StartPool | undefined;
}

/** Options that have been checked, with every default filled in. */
export type Bounds = typeof defaults & CommandOptions;

export function boundsOf(options: CommandOptions): Bounds {
  const bounds = { ...defaults, ...options };
  if (bounds.nondeterministic && bounds.workers !== 'auto' && bounds.workers > 1)
    throw new BadOption('several workers need a deterministic system.', 'Omit workers if nondeterministic is true.');
  if (options.weights !== undefined) checkWeights(options.weights);
  return bounds;
}
