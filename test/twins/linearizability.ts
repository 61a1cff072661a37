import { isDeepStrictEqual } from 'node:util';
import type { Operation } from 'culprit/kernel';

/** Whether operations executed one at a time in this order could have returned their outputs. */
export type Legal<I, O> = (order: readonly Operation<I, O>[]) => boolean;

/**
 * The slow and obvious twin of `checkLinearizable`: leaves out some of the unreturned operations, and tries all orders
 * of the rest. It knows neither keys nor parts.
 */
export function linearizableByTrying<I, O>(history: readonly Operation<I, O>[], legal: Legal<I, O>): boolean {
  const returned = history.filter((operation) => operation.returned !== undefined);
  const unreturned = history.filter((operation) => operation.returned === undefined);
  for (const happened of subsets(unreturned)) {
    for (const order of permutations([...returned, ...happened])) {
      if (respectsRealTime(order) && legal(order)) return true;
    }
  }
  return false;
}

/**
 * The slow and obvious twin of the binary search in `linearizable`: tries the histories after 0, 1, 2 … events, and
 * returns the number of events of the first that is not linearizable.
 */
export function eventsUntilViolated<I, O>(
  histories: readonly (readonly Operation<I, O>[])[],
  legal: Legal<I, O>,
): number | undefined {
  const events = histories.findIndex((history) => !linearizableByTrying(history, legal));
  return events < 0 ? undefined : events;
}

export const respectsRealTime = <I, O>(order: readonly Operation<I, O>[]): boolean =>
  order.every((first, at) => order.slice(at + 1).every(({ returned }) => !((returned ?? Infinity) < first.called)));

function* subsets<T>(items: readonly T[]): Generator<T[]> {
  const [first, ...rest] = items;
  if (first === undefined) yield [];
  else for (const subset of subsets(rest)) yield* [subset, [first, ...subset]];
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [at, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(at, 1))) yield [item, ...rest];
  }
}

/** An object that executes an operation and returns its output; undefined if the output is unknown. */
export type Run<I> = (input: I, key: string) => unknown;

/** Executes the operations on a fresh object and compares. */
export const legalOn =
  <I, O>(fresh: () => Run<I>): Legal<I, O> =>
  (order) => {
    const run = fresh();
    return order.every((operation) => {
      const output = run(operation.input, operation.key ?? '');
      const known = operation.returned !== undefined && 'output' in operation && output !== undefined;
      return !known || isDeepStrictEqual(output, operation.output);
    });
  };
