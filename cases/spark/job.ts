import type { TaskDescription } from './messages.ts';

/** How near a task is to its data on some executor, from the best to the worst; a second copy comes after all of them. */
export const levels = ['PROCESS_LOCAL', 'NODE_LOCAL', 'NO_PREF', 'ANY', 'SPECULATIVE'] as const;

export type Level = (typeof levels)[number];

export const isNearer = (level: Level, than: Level): boolean => levels.indexOf(level) < levels.indexOf(than);

/** Tasks that may run in any order. */
export interface Job {
  tasks: Task[];
  lastLaunchMs: number;
}

export interface Task {
  partition: string | null;
  /** The executor that has the partition in memory, and the host that has it at all; null where none has. */
  executor: string | null;
  host: string | null;
  attempts: Attempt[];
  finished: boolean;
  /** It takes long: a second copy might be faster. */
  speculatable: boolean;
}

export interface Attempt {
  host: string;
  launchedMs: number;
  lost: boolean;
}

/** An executor as its application sees it. */
export interface Executor {
  name: string;
  host: string;
  cores: number;
  free: number;
}

/** Where a partition is in memory: on the executor that read it last. */
export interface Cached {
  executor: string;
  host: string;
}

export const newTask = ({ partition, host }: TaskDescription, cached: Cached | undefined): Task => ({
  partition,
  executor: null,
  host,
  ...cached,
  attempts: [],
  finished: false,
  speculatable: false,
});

const copiesOf = ({ attempts }: Task): Attempt[] => attempts.filter(({ lost }) => !lost);

/** How near the task would be to its data on this executor; undefined where it is not to be launched there. */
export function levelOf(task: Task, executor: Executor): Level | undefined {
  if (task.finished) return undefined;
  const [first, second] = copiesOf(task);
  if (first !== undefined) {
    const mayCopy = task.speculatable && second === undefined && first.host !== executor.host;
    return mayCopy ? 'SPECULATIVE' : undefined;
  }
  if (task.executor === executor.name) return 'PROCESS_LOCAL';
  if (task.host === executor.host) return 'NODE_LOCAL';
  return task.host === null ? 'NO_PREF' : 'ANY';
}

/** Tasks that run in one copy only, in a job of which half is done. */
export const stragglers = ({ tasks }: Job): Task[] =>
  tasks.filter(({ finished }) => finished).length * 2 < tasks.length
    ? []
    : tasks.filter((task) => !task.finished && !task.speculatable && copiesOf(task).length === 1);
