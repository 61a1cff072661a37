import type { ResolvedSystem } from '../system/resolve.ts';
import type { SourceCall } from '../determinism/call-log.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import type { Leak } from '../determinism/diagnose.ts';
import type { ExecutionBounds, Executions } from './executions.ts';
import type { Survey } from './survey.ts';

/** The result of one check of the doctor. */
export interface CheckResult {
  /** Which of the doctor's checks it is. */
  readonly check: CheckName;
  /** A warning needs no change; `skipped` means that the check was not made. */
  readonly level: 'ok' | 'warning' | 'problem' | 'skipped';
  /** What was found, in one sentence. */
  readonly message: string;
  /** The next step for the user. */
  readonly next?: string;
  /** The likely leaks, if there are any. */
  readonly leaks?: readonly Leak[];
}

type CheckName =
  | 'node'
  | 'system'
  | 'parameters'
  | 'comparison'
  | 'executions'
  | 'determinism'
  | 'rates'
  | 'quiescence'
  | 'speed'
  | 'leaks'
  | 'observers'
  | 'elsewhere'
  | 'sometimes'
  | 'faults'
  | 'processes'
  | 'messages'
  | 'workload'
  | 'traces';

/** The facts about the system that checks share. */
export interface DoctorSubject {
  readonly source: System;
  readonly system: ResolvedSystem;
  readonly executions: Executions;
  /** The first execution of each seed, in the order of the seeds. */
  readonly traces: ReadonlyMap<number, Trace>;
  /** Observations during these executions. */
  readonly survey: Survey;
  /** The data in fields of behaviors before the first execution. */
  readonly keptBefore: ReadonlyMap<string, string>;
  /** Calls of uncontrolled functions while the module was loaded and the system defined. */
  readonly loading: readonly SourceCall[];
  /** Loads the module again; undefined if that is impossible. */
  readonly reload: (() => Promise<System>) | undefined;
  /** Makes the first executions in another process; undefined if that is impossible. */
  readonly executeElsewhere: ExecuteElsewhere | undefined;
  /** The file that exports the system, relative to the folder of its package. */
  readonly module: string | undefined;
  /** The folder of saved traces. */
  readonly directory: string;
}

/** Makes executions in another process, with additional environment variables. */
export type ExecuteElsewhere = (
  request: ExecutionBounds & { readonly env: Readonly<Record<string, string>> },
) => Promise<readonly Trace[]>;

/** One check, which may use the results of earlier ones. */
export type Check = (subject: DoctorSubject, soFar: readonly CheckResult[]) => CheckResult[] | Promise<CheckResult[]>;
