import type { Judgment, RunningProcess } from 'culprit';
import type { ApplicationState } from './application.ts';
import { isNearer, levelOf } from './job.ts';
import type { Launch } from './task-scheduler.ts';
import { WORKER_CORES, type WorkerState } from './worker.ts';

type Applications = readonly RunningProcess<ApplicationState>[];
type Workers = readonly RunningProcess<WorkerState>[];

/** No task waits that would have been nearer to its data than the one of its job that was given the core. */
export function nearestFirst(applications: Applications): Judgment {
  for (const { name, state } of applications) {
    for (const launch of state.launched) {
      const inversion = inversionBy(launch, state);
      if (inversion !== undefined) return { message: `${name} ${inversion}`, processes: [name] };
    }
  }
  return true;
}

function inversionBy(launch: Launch, { jobs, executors }: ApplicationState): string | undefined {
  const executor = executors.get(launch.executor);
  if (executor === undefined) return undefined;
  for (const [at, task] of jobs.get(launch.job)?.tasks.entries() ?? []) {
    const level = levelOf(task, executor);
    if (level === undefined || !isNearer(level, launch.level)) continue;
    return `gives ${executor.name} task ${launch.task}, ${launch.level} there, while task ${at}, ${level}, waits`;
  }
  return undefined;
}

/** A worker runs no more processes than it has cores. */
export function workersAreNotOverbooked(workers: Workers): Judgment {
  for (const { name, state } of workers) {
    const taken = state.executors.size + state.drivers.size;
    if (taken > WORKER_CORES) return { message: `${name} runs ${taken} processes`, processes: [name] };
  }
  return true;
}

/** An executor runs no more tasks than it has cores. */
export function executorsAreNotOverbooked(applications: Applications): Judgment {
  for (const { name, state } of applications) {
    for (const { name: executor, free, cores } of state.executors.values()) {
      if (free >= 0 && free <= cores) continue;
      return { message: `${name} counts ${free} of ${cores} cores free on ${executor}`, processes: [name] };
    }
  }
  return true;
}
