import { BadHistory } from './bad-history.ts';

/**
 * One operation of a client, from its call to its return. Positions are whole numbers that say which came first: lines
 * of a log, events of an execution, ticks of one clock.
 */
export interface Operation<I, O> {
  /** The client. */
  readonly process: string;
  /** The object it is about. Operations on different objects are checked apart. */
  readonly key?: string | undefined;
  /** Plain data, and so is the output. */
  readonly input: I;
  /** What it returned. Left out where that is unknown: then any output fits. */
  readonly output?: O;
  readonly called: number;
  /** Left out where it never returned: it may take effect at any time after its call, or not at all. */
  readonly returned?: number | undefined;
}

/**
 * Real-time order. Equal positions are concurrent: where a clock ticks slowly, it is unknown which came first. With `<=`
 * this history of a register that is 0 would be a violation, although nothing was wrong:
 *
 *     write(1)    1..2    took effect and returned late in tick 2
 *     read → 0    2..3    was called, and looked, early in tick 2
 */
const precedes = <I, O>(a: Operation<I, O>, b: Operation<I, O>): boolean =>
  a.returned !== undefined && a.returned < b.called;

export const concurrent = <I, O>(a: Operation<I, O>, b: Operation<I, O>): boolean => !precedes(a, b) && !precedes(b, a);

/** Refuses operations that end before they begin, which no order could take. */
export function checkPositions<I, O>(history: readonly Operation<I, O>[]): void {
  for (const [at, { process, called, returned = called }] of history.entries()) {
    if (called <= returned) continue;
    throw new BadHistory(
      `operation ${at + 1} (of ${process}) is called at ${called} and returns at ${returned}.`,
      'Positions are numbers, and no operation returns before it is called: look at what records them.',
    );
  }
}
