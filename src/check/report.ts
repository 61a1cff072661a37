import type { Policy } from './reduce/policies.ts';
import type { Trace } from '../trace/format.ts';
import type { FleetProgress } from '../workers/pool.ts';

/** How far a check has come. */
export interface CheckProgress {
  /** Executions explored so far. */
  readonly executions: number;
  /** After so many executions the check ends as *unknown*. */
  readonly executionsMax: number;
  /** After so many seconds the check ends as *unknown*. */
  readonly secondsMax: number;
  /** Events of all executions together. */
  readonly events: number;
  /** The number of finished fault plans, and of all fault plans. */
  readonly plansDone: number;
  /** How many ways there are to spend the budgets of crashes, restarts and partitions. */
  readonly plans: number;
  /** The explored share of all executions, estimated. */
  readonly share: number;
  /** The number of different violations. */
  readonly found: number;
  /** Milliseconds since the check began, those before it was resumed included. */
  readonly elapsedMs: number;
  /** If other machines explore pieces: what they are doing. */
  readonly fleet?: FleetProgress;
}

/** A violation, and the number of executions up to it. */
export interface CheckFinding {
  /** The execution that violates something; nothing is minimized yet. */
  readonly trace: Trace;
  /** The number of executions explored when it was found. */
  readonly executions: number;
}

/** The bounds of the explored executions. */
export interface Within {
  /** At most so many crashes in one execution. */
  readonly crashes: number;
  /** At most so many restarts in one execution. */
  readonly restarts: number;
  /** At most so many cuts in one execution. */
  readonly partitions: number;
  /** Longer executions were cut off here. */
  readonly events: number;
  /** The seed of the workload, if the workload is random: others were not explored. */
  readonly seed?: number;
}

/** A rule of the system that an audit found to be wrong. */
export interface RefutedRule {
  /** The rule of `reduce` that made the claim. */
  readonly rule: string;
  /** The events that the rule claimed to be independent. */
  readonly events: readonly [string, string];
  /** The difference between the two orders, in words. */
  readonly difference: string;
}

/** How much some policies would have pruned. */
export interface EstimatedReduction {
  /** The policies, applied together. */
  readonly policies: readonly Policy[];
  /** How many executions were explored. */
  readonly executions: number;
  /** How many of them a check that is reduced by these policies would explore. */
  readonly left: number;
}

/** The result of a check. */
export interface CheckReport {
  /** Holds: no execution within the bounds violates anything. */
  readonly verdict: 'holds' | 'violated' | 'unknown';
  /** The bounds that were explored. */
  readonly within: Within;
  /** Faults that the system declares and the search did not explore: losses, duplicates, holds and pauses. */
  readonly leftOut: readonly string[];
  /** Why the verdict is unknown; empty otherwise. */
  readonly whyUnknown: readonly string[];
  /** The assumptions of the verdict. */
  readonly assumptions: readonly string[];
  /** Different violations, in the order in which they were found. */
  readonly findings: readonly CheckFinding[];
  /** How many executions were explored. */
  readonly executions: number;
  /** Executions that were equivalent to earlier ones, or blocked: 0 with dpor, unless workers share it or a rule is wrong. */
  readonly redundant: number;
  /** Executions that were longer than allowed. */
  readonly cut: number;
  /** The number of pruned branches, by policy. */
  readonly pruned: Readonly<Record<string, number>>;
  /** How many events they have together. */
  readonly events: number;
  /** Fault plans whose executions have all been explored. */
  readonly plansDone: number;
  /** Fault plans in all: ways to spend the budgets of crashes, restarts and partitions. */
  readonly plans: number;
  /** The explored share of all executions, estimated: 1 if the check is complete. */
  readonly share: number;
  /** The number of claims of rules, and of audited claims. */
  readonly claims: number;
  /** Claims for which both orders were executed and compared. */
  readonly audited: number;
  /** Rules that were found to be wrong. */
  readonly refuted: readonly RefutedRule[];
  /** One for each entry of `CheckOptions.estimateReduction`, in that order. */
  readonly estimatedReductions: readonly EstimatedReduction[];
  /** How long it took. */
  readonly seconds: number;
}
