import { BadOption } from '../kernel/options/options.ts';
import type { System } from '../system/definition.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import { SessionPool } from './session-pool.ts';
import { LocalRunner, type ExecuteJob, type SessionRunner } from './session-runner.ts';
import { ALONE_JOB, fileForWorkers } from './worker-pool.ts';

/** Far more than any module takes to load, even on a busy machine. */
const LOAD_MS = 60_000;

/** The system of a command, and the module that other threads load it from. */
export interface SharedSystem {
  readonly given: System;
  readonly resolved: ResolvedSystem;
  readonly module: string | undefined;
}

/** One job runs in this thread; several run in threads of their own, which load the system from its module. */
export function startSessions<Job, Result>(
  jobs: number,
  { given, resolved, module }: SharedSystem,
  execute: () => ExecuteJob<Job, Result>,
  /** The data from which a worker makes the same function. */
  work: object,
): SessionRunner<Job, Result> {
  if (jobs === 1) return new LocalRunner(execute());
  const file = fileForWorkers(given, module, ALONE_JOB);
  const nth = file === given.file ? given.nth : undefined;
  const assignment = { file, nth, parameters: resolved.parameters, probe: undefined, work };
  return new SessionPool(jobs, { assignment, loadMs: LOAD_MS, alone: ALONE_JOB });
}

/** Several jobs are for systems whose processes act by themselves. */
export function mustTakeJobs(jobs: number, { guarantees }: ResolvedSystem, next: string): void {
  if (jobs > 1 && guarantees.controlled)
    throw new BadOption('several jobs need a system whose processes act by themselves.', next);
}
