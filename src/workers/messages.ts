import type { Parameters } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';

/** The data with which a worker starts. It is a separate thread, and loads the system from its module. */
export interface Assignment<Work = unknown> {
  readonly file: string;
  /** The number of the system among those that the file defines; undefined if it is unknown. */
  readonly nth: number | undefined;
  readonly parameters: Parameters;
  /** An execution that the worker must be able to repeat; undefined where executions do not repeat. */
  readonly probe: Trace | undefined;
  /** Shared memory through which the pool watches the worker. */
  readonly memory: Int32Array;
  /** Whether the output of handlers is shown as it happens. */
  readonly verbose: boolean;
  /** Whether every job has a number and one answer, which depends on no other job. */
  readonly isNumbered: boolean;
  /** The kind of jobs, and the data that is the same for all of them. */
  readonly work: Work;
}

/** A message from a worker. Messages to a worker are jobs. */
export type WorkerMessage<Answer> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unable'; readonly problem: string; readonly next: string }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** The message that makes a worker end its current job. */
export const STOP = 'stop';
