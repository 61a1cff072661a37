import type { Parameters } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';

/** What a worker is started with. It is a thread of its own, and gets its own system from the module. */
export interface Assignment<Work = unknown> {
  readonly file: string;
  /** Which of the systems that the file defines is meant; undefined where that cannot be said. */
  readonly nth: number | undefined;
  readonly parameters: Parameters;
  /** An execution: it must come out the same here. */
  readonly probe: Trace;
  /** By which it is watched. */
  readonly memory: Int32Array;
  /** Whether what handlers print is shown as it happens. */
  readonly verbose: boolean;
  /** What kind of jobs it gets, and what is the same for all of them. */
  readonly work: Work;
}

/** What a worker tells. It is told jobs. */
export type WorkerMessage<Answer> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unable'; readonly problem: string; readonly next: string }
  | { readonly kind: 'answer'; readonly answer: Answer };
