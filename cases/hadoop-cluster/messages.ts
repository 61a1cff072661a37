export type Message =
  /** From the client: run this application. There is only one. */
  | { readonly type: 'submit' }
  /**
   * To the application master: begin, or tell a resource manager that has restarted how far you are. The epoch is the
   * number of its restarts; messages for an earlier one are stale.
   */
  | { readonly type: 'launch'; readonly epoch: number }
  /** The answer: containers that it has, how many it still wants, and which nodes it does not want. */
  | {
      readonly type: 'register';
      readonly epoch: number;
      readonly holds: readonly string[];
      readonly ask: number;
      readonly avoid: readonly string[];
    }
  /** What has changed since. */
  | {
      readonly type: 'allocate';
      readonly epoch: number;
      readonly release: readonly string[];
      readonly ask: number;
      readonly avoid: readonly string[];
    }
  /** Here is a container. */
  | { readonly type: 'offer'; readonly node: string }
  /** To a node manager: execute a task in the container. */
  | { readonly type: 'start' }
  | { readonly type: 'done'; readonly node: string }
  /** The application is over, and the answer to that. */
  | { readonly type: 'unregister' }
  | { readonly type: 'unregistered' }
  /** The message to the client. */
  | { readonly type: 'finished' }
  /** The connection to a process closed, because it is gone. */
  | { readonly type: 'down' };
