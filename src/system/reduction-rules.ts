import type { ProcessView } from '../kernel/world.ts';

/**
 * What delivering a message does to its receiver. `discards`: nothing, and whatever comes before or after makes no
 * difference to that. `counts`: adds up, so that several do the same in any order. `sets`: the state gets this same value,
 * however often. `modifies`: anything else; the order matters, unless the other message is discarded.
 */
export type Effect = 'discards' | 'counts' | 'modifies' | { readonly sets: string };

/** What an event looks at, changes and sends, by names that the system makes up. */
export interface Touches {
  readonly reads?: readonly string[];
  readonly updates?: readonly string[];
  /** Receivers. Two events that send to the same one are in order there. */
  readonly sends?: readonly string[];
}

/**
 * What a check may go by to try fewer orders: rules about a protocol. They are claims of the system's author, so every
 * claim of independence is audited by executing both orders. All of them may be left out.
 */
export interface ReductionRules<S extends object = object, M = unknown> {
  /** Local-message independence: what this message would do now. */
  readonly message?: (message: M, receiver: ProcessView<S>, from: string) => Effect;
  /** Crash-message independence: whether the crash makes a survivor send, or changes its own state at most. */
  readonly crash?: (survivor: ProcessView<S>, crashing: ProcessView<S>) => 'local' | 'global';
  /** Crash recovery symmetry: what a survivor's recovery from the crash depends on; undefined where it has nothing to do. */
  readonly recovery?: (survivor: ProcessView<S>, crashing: ProcessView<S>) => unknown;
  /** Reboot synchronization symmetry: the same for one that comes back. */
  readonly rejoin?: (survivor: ProcessView<S>, rebooting: ProcessView<S>) => unknown;
  /** Event independence: what handling this message would look at, change and send now. */
  readonly touches?: (message: M, receiver: ProcessView<S>, from: string) => Touches;
  /** Processes that are interchangeable at the start: each list is one group. */
  readonly symmetric?: readonly (readonly string[])[];
}
