import type { Event, External } from '../trace/event.ts';
import type { Peers } from './passes/name-order.ts';

/** What a system says about how its executions may be made smaller. */
export interface Rules {
  /** Whether an event may never be dropped. */
  readonly keeps: (event: Event) => boolean;
  /** Externals with the same name are kept or dropped together. */
  readonly atom: (event: Event) => string | undefined;
  /** What the environment might have done instead: simpler externals, the simplest first. */
  readonly shrink: (external: External) => Iterable<External>;
  /** The logical clock that a message carries; undefined where the system does not say which field that is. */
  readonly clock: ((message: unknown) => number | undefined) | undefined;
  /** The declared processes. */
  readonly processes: readonly string[];
  /** Those among them that behave alike. */
  readonly peers: readonly Peers[];
}
