import { textOf } from '../../kernel/user-code/answer.ts';
import type { Model } from './model.ts';
import type { Operation } from './operation.ts';

/**
 * The history of each object, and of each part where the model names parts. A history is linearizable if and only if
 * these are: linearizability is local (Herlihy & Wing 1990; for parts, Horn & Kroening 2015).
 */
export function partition<S, I, O>(
  history: readonly Operation<I, O>[],
  model: Model<S, I, O>,
): readonly Operation<I, O>[][] {
  const parts = new Map<string, Operation<I, O>[]>();
  for (const operation of history) {
    const name = JSON.stringify([operation.key ?? null, partOf(operation.input, model)]);
    const part = parts.get(name);
    if (part === undefined) parts.set(name, [operation]);
    else part.push(operation);
  }
  return [...parts.values()];
}

const partOf = <S, I, O>(input: I, { partition: named }: Model<S, I, O>): string | null =>
  named === undefined ? null : textOf('partition of the model', named(input));
