import { Checking } from './checker.ts';
import { HANDLER_MS } from '../kernel/drive.ts';
import { showingPrinting } from '../kernel/user-code/console-capture.ts';
import type { SavedCheck } from './checkpoint.ts';
import type { Faults } from '../kernel/declaration.ts';
import { amount, anything, callback, count, flag, list, object, oneOf, text } from '../kernel/options/fields.ts';
import { BadOption, handlerFields, optionsOf, settings, signal } from '../kernel/options/options.ts';
import { policyNames, type Policy } from './reduce/policies.ts';
import { kindOf, searchNames, type SearchName } from './searches.ts';
import { mustBeSystem } from '../system/must-be.ts';
import type { Parameter, System } from '../system/define-system.ts';
import type { Trace } from '../trace/format.ts';

export interface CheckOptions {
  /** How executions are gone through: see `searchNames`. */
  readonly search?: SearchName;
  /** What is left out: by default nothing but the order of independent events. */
  readonly reduce?: readonly Policy[];
  /**
   * Tells how many of the executions would have been left by each of these, which are asked and not obeyed; see
   * `CheckReport.weighed`. By dpor, flips, blackbox or blackbox-flips.
   */
  readonly weigh?: readonly (readonly Policy[])[];
  /** Whether all claims of rules are audited, instead of one in so many. */
  readonly audit?: boolean;
  /** Faults in one execution, instead of what the system declares. */
  readonly faults?: Partial<Pick<Faults, 'crashes' | 'restarts' | 'cuts'>>;
  /** How many events an execution may have. */
  readonly eventsMax?: number;
  /** With `depth` and `deepening`: how often an execution may leave a process that could go on, for another one. */
  readonly preemptions?: number;
  /** How many executions to look at. */
  readonly executions?: number;
  readonly seconds?: number;
  /** How many threads explore, this one among them; with more than one, in pieces. By the same searches as `weigh`. */
  readonly workers?: number;
  /** How many different violations to look for. */
  readonly violations?: number;
  /** Draws what the workload generates, and what handlers draw; also for random walks. */
  readonly seed?: number;
  readonly handlerMs?: number;
  /** Shows what the system prints, on standard error as it happens. Without it, what a handler prints is in the trace alone. */
  readonly verbose?: boolean;
  readonly set?: Readonly<Record<string, Parameter>>;
  readonly signal?: AbortSignal;
  /** Goes on with what was left. */
  readonly from?: SavedCheck;
  /** Is told how far it has come, now and then and at the end; undefined where nothing is left to go on with. */
  readonly onSave?: (saved: SavedCheck | undefined) => void;
  readonly onProgress?: (progress: CheckProgress) => void;
  /** The file that exports the system, from the folder of its package. */
  readonly module?: string;
}

export interface CheckProgress {
  readonly executions: number;
  readonly executionsMax: number;
  readonly secondsMax: number;
  readonly events: number;
  /** Ways to spend the budgets of faults that are done, and how many there are. */
  readonly plansDone: number;
  readonly plans: number;
  /** The share of all executions that has been explored, estimated. */
  readonly share: number;
  readonly elapsedMs: number;
}

/** A violation, and how many executions it took. */
export interface CheckFinding {
  readonly trace: Trace;
  readonly executions: number;
}

/** What an execution that was looked at may have, at most. */
export interface Within {
  readonly crashes: number;
  readonly restarts: number;
  readonly cuts: number;
  readonly events: number;
  /** What drew the workload, where it is drawn: others are not looked at. */
  readonly seed?: number;
}

export interface RefutedRule {
  readonly rule: string;
  /** The events whose order was claimed not to matter. */
  readonly events: readonly [string, string];
  /** What differs: in words. */
  readonly difference: string;
}

export interface Weighed {
  readonly policies: readonly Policy[];
  /** How many were looked at. */
  readonly executions: number;
  /** How many of them these policies would have left. */
  readonly left: number;
}

export interface CheckReport {
  /** Holds: no execution within the bounds violates anything. */
  readonly verdict: 'holds' | 'violated' | 'unknown';
  readonly within: Within;
  /** Faults that the system declares and no check brings about: losses and duplicates. */
  readonly leftOut: readonly string[];
  /** Why nobody knows, where that is so. */
  readonly whyUnknown: readonly string[];
  /** What the verdict rests on besides the executions. */
  readonly provided: readonly string[];
  readonly findings: readonly CheckFinding[];
  readonly executions: number;
  /** Executions that had been explored already, or were begun in vain: 0 by dpor, unless workers share it or a rule is wrong. */
  readonly redundant: number;
  /** Executions that were longer than allowed. */
  readonly cut: number;
  /** What was not explored, by the policy that said so. */
  readonly pruned: Readonly<Record<string, number>>;
  readonly events: number;
  readonly plansDone: number;
  readonly plans: number;
  readonly share: number;
  /** Claims of rules: how many there were, and how many were audited. */
  readonly claims: number;
  readonly audited: number;
  readonly refuted: readonly RefutedRule[];
  /** What was asked to be weighed, in that order. */
  readonly weighed: readonly Weighed[];
  readonly seconds: number;
}

const defaults = {
  search: 'dpor' as SearchName,
  reduce: [] as readonly Policy[],
  weigh: [] as readonly (readonly Policy[])[],
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
  weigh: list('a list of lists of policies', policies),
  audit: flag,
  faults: object<NonNullable<CheckOptions['faults']>>('an object with crashes, restarts or cuts', {
    crashes: count(0),
    restarts: count(0),
    cuts: count(0),
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
  // A file that `from` was read from is looked at where the check goes on.
  from: anything,
  onSave: callback,
  onProgress: callback,
  module: text,
});

/** Options that have been checked, with every default filled in. */
export type CheckBounds = typeof defaults & CheckOptions;

/** Looks at every execution within the bounds that differs in more than the order of independent events. */
export async function check(system: System, options: CheckOptions = {}): Promise<CheckReport> {
  mustBeSystem('check', system);
  const bounds = boundsOf(checkOptions.checked(options));
  return await showingPrinting(bounds.verbose, () => new Checking(system, bounds).run());
}

/** What makes two checks the same one: only then can one go on with what the other left. */
export const aboutCheck = (system: System, options: CheckOptions): SavedCheck['about'] =>
  new Checking(system, boundsOf(options)).about;

function boundsOf(options: CheckOptions): CheckBounds {
  const bounds = { ...defaults, ...options };
  checkTogether(bounds);
  if (bounds.weigh.length > 0) checkWeighed(bounds);
  return bounds;
}

/** Those that turn races round: what they have left can be shared, and what they meet be weighed. */
const byOrder: readonly SearchName[] = ['dpor', 'flips', 'blackbox', 'blackbox-flips'];
const BY_ORDER = 'dpor, flips, blackbox or blackbox-flips';

/** What goes by the order of events means nothing where that is not what is gone through. */
function checkTogether({ search, reduce, preemptions, workers }: CheckBounds): void {
  if (workers > 1 && !byOrder.includes(search))
    throw new BadOption(
      `workers is ${workers}, and ${search} cannot be shared among them.`,
      `Search with ${BY_ORDER}, or leave workers out.`,
    );
  if (preemptions !== undefined && kindOf[search] !== 'exhaustive')
    throw new BadOption(
      `${search} cannot bound preemptions: which of several orders it looks at is chance.`,
      'Leave preemptions out, or search by depth or deepening.',
    );
  const policy = reduce.find((name) => !isOfUse(name, search));
  if (policy !== undefined)
    throw new BadOption(
      `${search} does not go by the order of events, so ${policy} has nothing to reduce.`,
      search === 'novelty'
        ? 'Leave it out; only recoveries and rejoins tell novelty something.'
        : 'Search with dpor, flips, blackbox or rdp, or leave it out.',
    );
}

function isOfUse(policy: Policy, search: SearchName): boolean {
  if (search === 'novelty') return policy === 'recoveries' || policy === 'rejoins';
  const goesByOrder = kindOf[search] === 'reduced' || search === 'rdp';
  return policy === 'symmetry' || goesByOrder;
}

/** Policies are asked about whole executions, all of them, and in the order in which they come. */
function checkWeighed({ search, reduce, weigh, workers, from }: CheckBounds): void {
  const wrong: readonly (readonly [boolean, string, string])[] = [
    [
      !byOrder.includes(search),
      `executions by ${search} cannot be weighed.`,
      `Search with ${BY_ORDER}, or leave weigh out.`,
    ],
    [workers > 1, `workers is ${workers}, and what they look at cannot be weighed.`, 'Leave workers or weigh out.'],
    [
      reduce.length > 0,
      `${reduce.join(', ')} is obeyed, so nothing can be weighed beside it.`,
      'Leave reduce or weigh out.',
    ],
    [
      weigh.flat().includes('symmetry'),
      'symmetry leaves out plans of faults, which cannot be weighed.',
      'Leave it out of weigh, and compare with a check by symmetry.',
    ],
    [from !== undefined, 'what was looked at before cannot be weighed.', 'Leave from or weigh out.'],
  ];
  for (const [isWrong, message, next] of wrong) if (isWrong) throw new BadOption(message, next);
}
