import { BadHistory } from './bad-history.ts';

/**
 * One operation of a client, from its call to its return. Positions are integers that order calls and returns: lines of
 * a log, events of an execution, ticks of one clock.
 */
export interface Operation<I, O> {
  /** The client. */
  readonly process: string;
  /** The object of the operation. Each object is checked on its own. */
  readonly key?: string | undefined;
  /** Plain data, like the output. */
  readonly input: I;
  /** The returned value. Omitted if unknown: then any output fits. */
  readonly output?: O;
  /** The position of its call. */
  readonly called: number;
  /** Omitted if it never returned: the operation may take effect at any time after its call, or not at all. */
  readonly returned?: number | undefined;
}

/**
 * Real-time order. Equal positions are concurrent: a coarse clock does not show which came first. With `<=`, this
 * correct history of a register that is 0 would be a violation:
 *
 *     write(1)    1..2    took effect and returned late in tick 2
 *     read → 0    2..3    was called, and looked, early in tick 2
 */
const precedes = <I, O>(a: Operation<I, O>, b: Operation<I, O>): boolean =>
  a.returned !== undefined && a.returned < b.called;

export const concurrent = <I, O>(a: Operation<I, O>, b: Operation<I, O>): boolean => !precedes(a, b) && !precedes(b, a);

/** Throws if an operation ends before it begins. */
export function checkPositions<I, O>(history: readonly Operation<I, O>[]): void {
  for (const [at, { process, called, returned = called }] of history.entries()) {
    if (called <= returned) continue;
    throw new BadHistory(
      `operation ${at + 1} (of ${process}) is called at ${called} and returns at ${returned}.`,
      'Positions are numbers, and no operation returns before it is called: look at what records them.',
    );
  }
}
