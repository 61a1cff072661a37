import type { Policy } from './reduce/policies.ts';
import type { Trace } from '../trace/format.ts';

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
  readonly partitions: number;
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

/** How much some policies would have pruned. */
export interface EstimatedReduction {
  readonly policies: readonly Policy[];
  /** How many executions were explored. */
  readonly executions: number;
  /** How many of them a check that is reduced by these policies would explore. */
  readonly left: number;
}

export interface CheckReport {
  /** Holds: no execution within the bounds violates anything. */
  readonly verdict: 'holds' | 'violated' | 'unknown';
  readonly within: Within;
  /** Faults that the system declares and no check brings about: losses and duplicates. */
  readonly leftOut: readonly string[];
  /** Why the verdict is unknown, where it is. */
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
  /** One for each entry of `CheckOptions.estimateReduction`, in that order. */
  readonly estimatedReductions: readonly EstimatedReduction[];
  readonly seconds: number;
}
