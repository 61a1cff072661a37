import type { Assignment } from './messages.ts';

/** Gives out jobs and takes answers. Both are plain data. */
export interface JobSource<Job, Answer> {
  /** The number of jobs that a worker has, the current one included: the thread that gives them is not always free. */
  readonly held: number;
  /** A job that no thread has; undefined if there is none now. */
  next(): Job | undefined;
  /** Takes the result of a job or of its first part. Returns the rest, if the worker continues with it. */
  answered(job: Job, answer: Answer): Job | undefined;
  /** Takes back a job of a worker that has ended: because it seemed to hang, or for this reason. */
  giveBack(job: Job, why: 'hangs' | { readonly error: unknown }): void;
  /** Where answers outlive the command: a name that no other job of this work has; by default a digest of the job. */
  nameOf?(job: Job): string;
  /** Likewise: agrees on the size of jobs before the first one, so that the same command finds them again. */
  agree?(sizeFor: (wanted: number) => Promise<number>): Promise<void>;
}

/** The number of workers, and their assignment. */
export interface PoolOptions {
  readonly count: number;
  readonly assignment: Omit<Assignment, 'memory' | 'verbose' | 'isNumbered'>;
  /** The time that a worker may take to load the system. */
  readonly loadMs: number;
  /** How to do without workers; by default, with one of them. */
  readonly alone?: string;
}

/** Workers that do the jobs of a source: threads of this process, or those of other machines. */
export interface Pool {
  /** Whether the thread that gives out jobs does some of them meanwhile. It always does those that come back. */
  readonly isShared: boolean;
  /** What the workers of other machines are doing; undefined for threads of this process. */
  readonly fleet: FleetProgress | undefined;
  /** Gives jobs to idle workers. */
  dispatch(): void;
  /** Waits for a message of a worker, but not for long. */
  wait(): Promise<void>;
  /** Throws if the workers cannot run the system. */
  check(): void;
  /** Waits until every worker has loaded the system, or one has failed to. */
  joined(): Promise<void>;
  /** Asks for an early end: every job is answered soon, or comes back. */
  stop(): void;
  end(): Promise<void>;
}

/** The workers of other machines, and their jobs. */
export interface FleetProgress {
  /** The number of worker processes, and of threads in them. */
  readonly workers: number;
  readonly threads: number;
  /** The number of jobs that were answered, and of those that wait or are under way. */
  readonly jobsDone: number;
  readonly jobsOpen: number;
}

/** Starts workers for a source of jobs. */
export type StartPool = <Job, Answer>(jobs: JobSource<Job, Answer>, options: PoolOptions) => Pool;
