import { availableParallelism } from 'node:os';

/** How work uses threads. Its result does not depend on this. */
export interface Threads {
  /** The number of threads, this one included. */
  readonly workers: number;
  /** The time that this thread works alone before the others start. */
  readonly aloneMs: number;
  /**
   * When the work waits until the other threads have loaded the system: at first, before it reports that all is done, or
   * never.
   */
  readonly waits: 'first' | 'last' | 'never';
  /** The time that loading may take. */
  readonly loadMs: number;
}

/** Starting a worker takes some 0.2 s, which short work should not cost. */
const ALONE_MS = 1_000;

/** Far more than any module takes to load, even on a busy machine. */
export const LOAD_MS = 60_000;

/** More workers take too much memory by default. */
const AUTO_MAX = 8;

/** `auto`: one thread per processor, once the work has lasted for a while. */
export const threadsFor = (workers: number | 'auto'): Threads =>
  workers === 'auto'
    ? { workers: Math.min(availableParallelism(), AUTO_MAX), aloneMs: ALONE_MS, waits: 'never', loadMs: LOAD_MS }
    : { workers, aloneMs: 0, waits: 'last', loadMs: LOAD_MS };
