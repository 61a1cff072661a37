export type Message =
  /** From outside: this node gets slow. */
  | { readonly type: 'slow' }
  /** To a node manager: attempt this task; and that nobody needs it any more. */
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
  /** How often the application master had restarted: attempts of an earlier one are nobody's. */
  readonly epoch: number;
}
