import type { CulpritError } from '../error.ts';
import type { CoverageReport } from '../coverage/coverage.ts';
import type { Trace } from '../trace/format.ts';
import type { FleetProgress } from '../workers/pool.ts';
import type { ExecutionProgress } from './execution-progress.ts';

/** The progress of a search. */
export interface SearchProgress {
  /** Executions so far, without the control executions. */
  readonly executions: number;
  /** The search ends after so many executions. */
  readonly executionsMax: number;
  /** The search ends after so many seconds. */
  readonly secondsMax: number;
  /** Events of all executions together. */
  readonly events: number;
  /** Executions that differ in more than the order of independent events. */
  readonly distinct: number;
  /** The number of different violations. */
  readonly found: number;
  /** The number of `sometimes` marks that were reached, and of all marks. */
  readonly marksReached: number;
  /** How many `sometimes` predicates the system declares. */
  readonly marks: number;
  /** Milliseconds since the search began. */
  readonly elapsedMs: number;
  /** Where processes act by themselves, and of a network: the execution under way, or the last one. */
  readonly execution?: ExecutionProgress;
  /** If other machines execute seeds: what they are doing. */
  readonly fleet?: FleetProgress;
}

/** A violation, and the strategy that found it. */
export interface Finding {
  /** The execution. */
  readonly trace: Trace;
  /** The strategy that found it. */
  readonly strategy: string;
  /** The number of executions up to this one. */
  readonly executions: number;
  /** Where processes act by themselves, of a control execution: the violation needs no fault, or no input at all. */
  readonly without?: 'no fault' | 'no input';
}

/** Where processes act by themselves: the executions without faults or inputs that a search begins with. */
export interface ControlReport {
  readonly executions: number;
  readonly violated: number;
  readonly unknown: number;
}

/** The result of a search. */
export interface SearchReport {
  /** Violations of different fingerprints, in the order of their seeds. */
  readonly findings: readonly Finding[];
  /** How many executions there were. */
  readonly executions: number;
  /** Executions on which the verdict is unknown. */
  readonly unknown: number;
  /** The reason of the first unknown verdict. */
  readonly whyUnknown?: string;
  /** Where processes act by themselves: why the system got ready in no execution, and what to do about it. */
  readonly neverReady?: CulpritError;
  /** How many events they have together. */
  readonly events: number;
  /** The seed with which another search would continue this one. */
  readonly nextSeed: number;
  /** Where processes act by themselves: executions without faults, which come first and do not count as executions. */
  readonly control?: ControlReport;
  /** Where processes act by themselves: executions that were ended because an earlier one had the answer. */
  readonly abandoned?: number;
  /** The parts of the system that executions exercised. */
  readonly coverage: CoverageReport;
  /** An execution to look at: that of seed 0; where processes act by themselves, the first that holds. */
  readonly example?: Trace;
}
