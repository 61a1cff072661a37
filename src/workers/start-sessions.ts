import { availableParallelism } from 'node:os';
import { BadOption } from '../kernel/options/options.ts';
import type { System } from '../system/definition.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import { SessionPool } from './session-pool.ts';
import { LocalRunner, type ExecuteJob, type SessionRunner } from './session-runner.ts';
import { LOAD_MS } from './threads.ts';
import { ALONE_JOB, fileForWorkers } from './worker-pool.ts';

/** The system of a command, and the module that other threads load it from. */
export interface SharedSystem {
  readonly given: System;
  readonly resolved: ResolvedSystem;
  readonly module: string | undefined;
}

/** One job runs in this thread; several run in threads of their own, which load the system from its module. */
export function startSessions<Job, Result>(
  wanted: number | 'auto',
  { given, resolved, module }: SharedSystem,
  execute: () => ExecuteJob<Job, Result>,
  /** The data from which a worker makes the same function. */
  work: object,
): SessionRunner<Job, Result> {
  const jobs = jobsFor(wanted, resolved);
  if (jobs === 1) return new LocalRunner(execute());
  const file = fileForWorkers(given, module, ALONE_JOB);
  const nth = file === given.file ? given.nth : undefined;
  const assignment = { file, nth, parameters: resolved.parameters, probe: undefined, work };
  return new SessionPool(jobs, { assignment, loadMs: LOAD_MS, alone: ALONE_JOB });
}

/** The most jobs that are begun unless the user asks for more. */
export const JOBS_MAX = 8;

/** `auto`: executions of processes that act by themselves wait more than they compute, so more of them than there are processors pay. */
function jobsFor(jobs: number | 'auto', { guarantees }: ResolvedSystem): number {
  if (jobs !== 'auto') return jobs;
  return guarantees.controlled ? 1 : Math.min(JOBS_MAX, 2 * availableParallelism());
}

/** Several jobs are for systems whose processes act by themselves. */
export function mustTakeJobs(jobs: number | 'auto', resolved: ResolvedSystem, next: string): void {
  if (jobsFor(jobs, resolved) > 1 && resolved.guarantees.controlled)
    throw new BadOption('several jobs need a system whose processes act by themselves.', next);
}
