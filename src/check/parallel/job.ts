import type { RefutedRule } from '../report.ts';
import type { SavedPlan } from '../checkpoint.ts';
import type { SavedOracleReads } from '../dependence/oracle-reads.ts';
import type { Proposal } from '../search/proposal.ts';

/** A piece of what a check has left to explore, for a while. Plain data: any thread can do it, and comes to the same. */
export interface Job {
  /** The number of the plan of faults. */
  readonly plan: number;
  /** Where it was left, with nothing counted yet. */
  readonly saved: SavedPlan;
  readonly proposals: readonly Proposal[];
  readonly observed: SavedOracleReads;
  /** Violations that are known. */
  readonly fingerprints: readonly string[];
  /** For how many executions, at most; it is over earlier with so many violations, or after so many seconds. */
  readonly executions: number;
  readonly violations: number;
  readonly seconds: number;
  /** Whether it is to be divided then. */
  readonly divides: boolean;
}

/** Its result. */
export interface JobResult {
  /** What was counted, and where it was left. */
  readonly saved: SavedPlan;
  /** Oracles look at more than was known: what is left of it is good for nothing. */
  readonly isStale: boolean;
  readonly divideAt?: number;
  readonly proposals: readonly Proposal[];
  readonly observed: SavedOracleReads;
  readonly whyUnknown?: string;
  /** Traces as text, and after how many executions each was met. */
  readonly findings: readonly { readonly trace: string; readonly executions: number }[];
  readonly claims: number;
  readonly audited: number;
  readonly refuted: readonly RefutedRule[];
}

/** Told to a worker instead of a task: be done with the one under way. */
export const STOP = 'stop';
