export type Message =
  /** From outside: this node gets slow. */
  | { readonly type: 'slow' }
  /** To a node manager: attempt this task; or: the attempt is no longer needed. */
  | Attempt<'launch'>
  | Attempt<'kill'>
  /** What becomes of it. */
  | Attempt<'launched'>
  | (Attempt<'progress'> & { readonly late: boolean })
  | Attempt<'done'>
  | Attempt<'killed'>
  /** The connection to a process closed, because it is gone. */
  | { readonly type: 'down' };

interface Attempt<T extends string> {
  readonly type: T;
  readonly task: number;
  /** The number of restarts of the application master: attempts of an earlier one belong to no task. */
  readonly epoch: number;
}
