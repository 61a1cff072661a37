import type { Event, External } from '../trace/event.ts';
import type { Peers } from './passes/name-order.ts';

/** The rules of a system for minimizing its executions. */
export interface Rules {
  /** Whether an event must not be dropped. */
  readonly keeps: (event: Event) => boolean;
  /** The name of a group; externals with the same name are kept or dropped together. */
  readonly atom: (event: Event) => string | undefined;
  /** Simpler externals to try instead, the simplest first. */
  readonly shrink: (external: External) => Iterable<External>;
  /** The logical clock of a message; undefined if the system does not declare one. */
  readonly clock: ((message: unknown) => number | undefined) | undefined;
  /** The declared processes. */
  readonly processes: readonly string[];
  /** Groups of processes with the same behavior. */
  readonly peers: readonly Peers[];
}
