import type { SessionClock } from './uncontrolled/session-clock.ts';

/** What the executions of a system have in common, known before anything runs: what all of its processes guarantee. */
export interface Guarantees {
  /** Worlds can be copied. Otherwise prefixes are executed again. */
  readonly forkable: boolean;
  /** The same schedule gives the same events. Otherwise every answer is statistical. */
  readonly repeatable: boolean;
  /** Nothing happens unless it is performed. Otherwise a session can wait, and a recording is what happened. */
  readonly controlled: boolean;
}

/** Who runs the code of a process, where that is not the kernel: the behavior only passes events on. */
export interface Host extends Omit<Guarantees, 'forkable'> {
  /** Completes the sentence `c1 is …`: `live`. */
  readonly name: string;
  /**
   * Of a process that is not controlled: whether all that it sends, it sends in reaction to an event, before `start` or `receive`
   * resolves; only what its own timers send comes later. Then a message that a replay does not have can wait for good, and minimizing
   * drops deliveries, too.
   */
  readonly messagesAreOurs?: boolean;
  /** Gives each session its clock; by default the clock is real. */
  readonly clock?: () => SessionClock;
}
