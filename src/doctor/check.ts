import type { ResolvedSystem } from '../system/resolve.ts';
import type { SourceCall } from '../determinism/call-log.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import type { Leak } from '../determinism/diagnose.ts';
import type { ExecutionBounds, Executions } from './executions.ts';
import type { Survey } from './survey.ts';

/** What one look at a system found. */
export interface CheckResult {
  readonly check: CheckName;
  /** A warning needs no change; what was skipped was not looked at. */
  readonly level: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly message: string;
  /** What to do about it. */
  readonly next?: string;
  /** What likely leaks, where something does. */
  readonly leaks?: readonly Leak[];
}

type CheckName =
  | 'node'
  | 'system'
  | 'parameters'
  | 'executions'
  | 'determinism'
  | 'leaks'
  | 'onlookers'
  | 'elsewhere'
  | 'sometimes'
  | 'faults'
  | 'processes'
  | 'messages'
  | 'workload'
  | 'traces';

/** What is known of the system when it is looked at. */
export interface Patient {
  readonly source: System;
  readonly system: ResolvedSystem;
  readonly executions: Executions;
  /** The first execution of each seed, in the order of the seeds. */
  readonly traces: ReadonlyMap<number, Trace>;
  /** What was seen meanwhile. */
  readonly survey: Survey;
  /** What behaviors kept in fields of their own before anything was executed. */
  readonly keptBefore: ReadonlyMap<string, string>;
  /** What was called while the module was loaded and the system defined. */
  readonly loading: readonly SourceCall[];
  /** Loads the module again, where it is known how. */
  readonly reload: (() => Promise<System>) | undefined;
  /** Makes the first of the executions in another process, where it is known how. */
  readonly executeElsewhere: ExecuteElsewhere | undefined;
  /** The file that exports the system, from the folder of its package. */
  readonly module: string | undefined;
  /** Where hunts keep traces. */
  readonly directory: string;
}

/** Makes executions in another process, with these variables in its environment besides those of this one. */
export type ExecuteElsewhere = (
  request: ExecutionBounds & { readonly env: Readonly<Record<string, string>> },
) => Promise<readonly Trace[]>;

/** One look, which may go by what earlier ones found. */
export type Check = (patient: Patient, soFar: readonly CheckResult[]) => CheckResult[] | Promise<CheckResult[]>;
