import type { CoverageReport } from '../coverage/coverage.ts';
import type { Trace } from '../trace/format.ts';

/** How a search is getting on. */
export interface SearchProgress {
  readonly executions: number;
  readonly executionsMax: number;
  readonly secondsMax: number;
  readonly events: number;
  /** Executions that differ in more than the order of independent events. */
  readonly distinct: number;
  /** `sometimes` marks that were reached, and how many there are. */
  readonly marksReached: number;
  readonly marks: number;
  readonly elapsedMs: number;
}

/** A violation, and what found it. */
export interface Finding {
  readonly trace: Trace;
  readonly strategy: string;
  /** How many executions it took. */
  readonly executions: number;
}

export interface SearchReport {
  /** Violations of different fingerprints, in the order of their seeds. */
  readonly findings: readonly Finding[];
  readonly executions: number;
  /** Executions of which an oracle could not say whether they hold. */
  readonly unknown: number;
  /** Why, the first time. */
  readonly whyUnknown?: string;
  readonly events: number;
  /** Where to begin in order to go on. */
  readonly nextSeed: number;
  /** Whether it tested anything. */
  readonly coverage: CoverageReport;
}
