import type { RefutedRule } from '../report.ts';
import type { SavedPlan } from '../checkpoint.ts';
import type { SavedOracleReads } from '../dependence/oracle-reads.ts';
import type { Proposal } from '../search/proposal.ts';

/** A piece of a check, to be explored for a while. Plain data: any thread can do it, with the same result. */
export interface Job {
  /** The number of the fault plan. */
  readonly plan: number;
  /** The saved state of the piece, with all counts at zero. */
  readonly saved: SavedPlan;
  readonly proposals: readonly Proposal[];
  readonly oracleReads: SavedOracleReads;
  /** Fingerprints of known violations. */
  readonly fingerprints: readonly string[];
  /** The maximum numbers of executions, violations and seconds. */
  readonly executions: number;
  readonly violations: number;
  readonly seconds: number;
  /** Whether to divide the piece afterwards. */
  readonly divides: boolean;
}

/** The result of a job. */
export interface JobResult {
  /** The counts, and the state in which the piece was left. */
  readonly saved: SavedPlan;
  /** Whether oracles have read more than was known, so that the rest of the piece is invalid. */
  readonly isStale: boolean;
  readonly divideAt?: number;
  readonly proposals: readonly Proposal[];
  readonly oracleReads: SavedOracleReads;
  readonly whyUnknown?: string;
  /** Traces as text, and the number of executions before each. */
  readonly findings: readonly { readonly trace: string; readonly executions: number }[];
  readonly claims: number;
  readonly audited: number;
  readonly refuted: readonly RefutedRule[];
}
