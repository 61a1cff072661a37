import type { ProcessView } from '../kernel/world.ts';

/**
 * The effect of a message on its receiver. `discards`: none, in any order with other events. `counts`: it adds up,
 * so several have the same effect in any order. `sets`: it sets the state to the same value every time. `modifies`: any
 * other effect; the order matters, unless the other message is discarded.
 */
export type Effect = 'discards' | 'counts' | 'modifies' | { readonly sets: string };

/** What an event reads, writes and sends, by names that the system chooses. */
export interface Touches {
  /** What the event only looks at: two events that read the same are independent. */
  readonly reads?: readonly string[];
  /** What the event changes: an event that reads or updates the same is dependent. */
  readonly updates?: readonly string[];
  /** Receivers. Two events that send to the same receiver are dependent. */
  readonly sends?: readonly string[];
}

/**
 * Rules about the protocol that let a check explore fewer orders. They are claims of the author, so the check audits
 * every claim of independence by executing both orders. All rules are optional.
 */
export interface ReductionRules<S extends object = object, M = unknown> {
  /** Local-message independence: the effect that this message would have now. */
  readonly message?: (message: M, receiver: ProcessView<S>, from: string) => Effect;
  /**
   * Crash-message independence: whether a survivor reacts to the crash with messages, or at most with a change of its
   * own state.
   */
  readonly crash?: (survivor: ProcessView<S>, crashing: ProcessView<S>) => 'local' | 'global';
  /**
   * Crash recovery symmetry: the data that a survivor's recovery from the crash depends on; undefined if it does not
   * react.
   */
  readonly recovery?: (survivor: ProcessView<S>, crashing: ProcessView<S>) => unknown;
  /** Reboot synchronization symmetry: the same for a process that restarts. */
  readonly rejoin?: (survivor: ProcessView<S>, rebooting: ProcessView<S>) => unknown;
  /** Event independence: what the handler would read, write and send now. */
  readonly touches?: (message: M, receiver: ProcessView<S>, from: string) => Touches;
  /** Processes that are interchangeable at the start: each list is one group. */
  readonly symmetric?: readonly (readonly string[])[];
}
