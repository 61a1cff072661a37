import { HANDLER_MS } from '../kernel/drive.ts';
import type { SavedCheck } from './checkpoint.ts';
import type { Faults } from '../kernel/declaration.ts';
import { amount, anything, callback, count, flag, list, object, oneOf, text } from '../kernel/options/fields.ts';
import { BadOption, handlerFields, optionsOf, settings, signal } from '../kernel/options/options.ts';
import { policyNames, type Policy } from './reduce/policies.ts';
import type { CheckProgress } from './report.ts';
import { kindOf, searchNames, type SearchName } from './searches.ts';
import type { Parameters, Settings } from '../system/definition.ts';
import type { StartPool } from '../workers/pool.ts';

/** The options of `check`: the bounds within which every execution is explored. */
export interface CheckOptions<D extends Parameters = Parameters> {
  /** The search algorithm: see `searchNames`. */
  readonly search?: SearchName;
  /** The reductions; by default only equivalent orders of independent events are left out. */
  readonly reduce?: readonly Policy[];
  /**
   * For each of these lists, estimates how much the policies would prune, without pruning; see
   * `CheckReport.estimatedReductions`. Only with dpor, race-reversal, blackbox or blackbox-race-reversal.
   */
  readonly estimateReduction?: readonly (readonly Policy[])[];
  /** Audits all claims of rules, instead of a sample. */
  readonly audit?: boolean;
  /** The maximum faults of one execution, instead of those that the system declares. */
  readonly faults?: Partial<Pick<Faults, 'crashes' | 'restarts' | 'partitions'>>;
  /** The maximum number of events of one execution. */
  readonly eventsMax?: number;
  /** With `depth` and `deepening`: the maximum number of preemptions, switches away from a process that could continue. */
  readonly preemptions?: number;
  /** The maximum number of executions. */
  readonly executions?: number;
  /** The time limit in seconds. A check that reaches it is *unknown*, unless it found something. */
  readonly seconds?: number;
  /** The number of threads, this one included; several explore in pieces. Only with the same searches as `estimateReduction`. */
  readonly workers?: number;
  /** Stop after this number of different violations. */
  readonly violations?: number;
  /** The seed of the workload, of random numbers in handlers, and of random walks. */
  readonly seed?: number;
  /** The CPU time, in milliseconds, after which a handler counts as hanging; 5,000 by default. */
  readonly handlerMs?: number;
  /** Shows the output of the system on standard error as it happens. By default, the output of a handler is in the trace only. */
  readonly verbose?: boolean;
  /** Values for the system's parameters. */
  readonly set?: Settings<D>;
  /** Ends the check early, with a report of everything found so far. */
  readonly signal?: AbortSignal;
  /** Resumes from this checkpoint. */
  readonly from?: SavedCheck;
  /** Receives a checkpoint now and then and at the end; undefined if nothing is left to resume. */
  readonly onSave?: (saved: SavedCheck | undefined) => void;
  /** Receives the progress now and then. */
  readonly onProgress?: (progress: CheckProgress) => void;
  /** The file that exports the system, from the folder of its package. */
  readonly module?: string;
}

const defaults = {
  search: 'dpor' as SearchName,
  reduce: [] as readonly Policy[],
  estimateReduction: [] as readonly (readonly Policy[])[],
  audit: false,
  faults: {} as NonNullable<CheckOptions['faults']>,
  eventsMax: 200,
  executions: 1_000_000,
  seconds: Number.POSITIVE_INFINITY,
  workers: 1,
  violations: 1,
  seed: 0,
  handlerMs: HANDLER_MS,
};

const policies = list(`a list of ${policyNames.join(', ')}`, oneOf(policyNames));

export const checkOptions = optionsOf<CheckOptions>('check', {
  search: oneOf(searchNames),
  reduce: policies,
  estimateReduction: list('a list of lists of policies', policies),
  audit: flag,
  faults: object<NonNullable<CheckOptions['faults']>>('an object with crashes, restarts or partitions', {
    crashes: count(0),
    restarts: count(0),
    partitions: count(0),
  }),
  eventsMax: count(1),
  preemptions: count(0),
  executions: count(1),
  seconds: amount,
  workers: count(1),
  violations: count(1),
  seed: count(0),
  ...handlerFields,
  set: settings,
  signal,
  // The content of `from` is verified when the check resumes.
  from: anything,
  onSave: callback,
  onProgress: callback,
  module: text,
});

/** The options of a check by a command: other machines may share it. */
export interface CommandOptions extends CheckOptions {
  /** Starts the workers of other machines. */
  readonly fleet?: StartPool | undefined;
}

/** Options that have been checked, with every default filled in. */
export type CheckBounds = typeof defaults & CommandOptions;

/** Whether several workers explore pieces of the check. */
export const isShared = ({ workers, fleet }: CheckBounds): boolean => workers > 1 || fleet !== undefined;

/** Fills in the defaults, and refuses options that do not go together. */
export function boundsOf(options: CommandOptions): CheckBounds {
  const bounds = { ...defaults, ...options };
  checkTogether(bounds);
  if (bounds.estimateReduction.length > 0) checkEstimate(bounds);
  return bounds;
}

/** The searches that reverse races: workers can share them, and they can estimate a reduction. */
const byOrder: readonly SearchName[] = ['dpor', 'race-reversal', 'blackbox', 'blackbox-race-reversal'];
const BY_ORDER = 'dpor, race-reversal, blackbox or blackbox-race-reversal';

/** Why threads cannot share a search. */
function whyAlone(search: SearchName): string {
  if (search === 'worlds' || search === 'breadth')
    return 'it explores each world once, and threads do not know the worlds of the others';
  if (search === 'novelty') return 'its next execution depends on all that it has met before';
  return 'each of its executions follows from those before';
}

/** Refuses options about the order of events for searches that do not explore orders. */
function checkTogether(bounds: CheckBounds): void {
  const { search, reduce, preemptions, workers, fleet } = bounds;
  if (isShared(bounds) && !byOrder.includes(search))
    throw new BadOption(
      `the search ${search} runs on one worker, not ${fleet === undefined ? workers : 'on a fleet'}: ${whyAlone(search)}.`,
      `Search with ${BY_ORDER}, or omit ${fleet === undefined ? 'workers' : 'the fleet'}.`,
    );
  if (preemptions !== undefined && kindOf[search] !== 'exhaustive')
    throw new BadOption(
      `${search} cannot bound preemptions: it explores one of several equivalent orders.`,
      'Omit preemptions, or search with depth or deepening.',
    );
  const policy = reduce.find((name) => !isOfUse(name, search));
  if (policy !== undefined)
    throw new BadOption(
      `${policy} does not apply to ${search}, which does not explore orders of events.`,
      search === 'novelty'
        ? 'Omit it; novelty uses only crs and rss.'
        : 'Search with dpor, race-reversal, blackbox or rdp, or omit it.',
    );
}

function isOfUse(policy: Policy, search: SearchName): boolean {
  if (search === 'novelty') return policy === 'crs' || policy === 'rss';
  const goesByOrder = kindOf[search] === 'reduced' || search === 'rdp';
  return policy === 'symmetry' || goesByOrder;
}

/** An estimate needs all executions, whole and in order. */
function checkEstimate(bounds: CheckBounds): void {
  const { search, reduce, estimateReduction, workers, fleet, from } = bounds;
  const wrong: readonly (readonly [boolean, string, string])[] = [
    [
      !byOrder.includes(search),
      `the reduction cannot be estimated with ${search}.`,
      `Search with ${BY_ORDER}, or omit the estimate.`,
    ],
    [
      isShared(bounds),
      `the reduction is estimated on one worker, not ${fleet === undefined ? workers : 'on a fleet'}.`,
      'Omit workers, the fleet or the estimate.',
    ],
    [
      reduce.length > 0,
      `the check is reduced by ${reduce.join(', ')} already, so the reduction cannot be estimated.`,
      'Omit reduce or the estimate.',
    ],
    [
      estimateReduction.flat().includes('symmetry'),
      'symmetry prunes fault plans, which cannot be estimated.',
      'Omit symmetry from the estimate, and compare with a check reduced by symmetry.',
    ],
    [from !== undefined, 'the reduction cannot be estimated for a resumed check.', 'Omit from or the estimate.'],
  ];
  for (const [isWrong, message, next] of wrong) if (isWrong) throw new BadOption(message, next);
}
