import { budgetOptions, Spending, type Budget } from './budget.ts';
import type { Model } from './model.ts';
import { checkPositions, type Operation } from './operation.ts';
import { Search } from './search.ts';
import { violationOf, type NotLinearizable } from './violation.ts';
import { textOf } from '../../kernel/user-code/answer.ts';
import { BadHistory } from './bad-history.ts';
import { canonicalText } from './canonical.ts';

/** The answer of `checkLinearizable`. */
export type Linearizability<S, I, O> = {
  /** The cost of the search: operations tried or taken back, over all objects. */
  readonly steps: number;
} & (
  | { readonly kind: 'holds'; readonly linearizations: readonly (readonly Operation<I, O>[])[] }
  | { readonly kind: 'violated'; readonly violation: NotLinearizable<S, I, O> }
  | { readonly kind: 'unknown'; readonly why: string }
);

/** Steps of one object's search before the next object gets its turn. */
const TURN = 256;
const KEYS_SHOWN = 5;

/**
 * Whether the operations could have been executed one at a time by the object that the model describes, each at some
 * moment between its call and its return. If so, the answer has a linearization of the history of each object (or
 * part).
 *
 * The searches of all objects take turns, so that a violation that is easy to find does not wait for a hard object. The
 * first violation is reported. The answer is unknown if no violation was found and some object is undecided.
 */
export function checkLinearizable<S, I, O>(
  history: readonly Operation<I, O>[],
  model: Model<S, I, O>,
  budget: Budget = {},
): Linearizability<S, I, O> {
  checkPositions(history);
  checkInputs(history, model);
  const spending = new Spending(budgetOptions.checked(budget));
  const parts = partition(history, model).map((operations) => ({ operations, search: new Search(operations, model) }));
  for (let open = parts; open.length > 0; open = open.filter(isOpen)) {
    for (const { operations, search } of open.filter(isOpen)) {
      const spent = spending.exhausted();
      if (spent !== undefined) return { kind: 'unknown', steps: spending.steps, why: undecided(parts, spent) };
      takeTurn(search, spending);
      if (search.found !== false) continue;
      return { kind: 'violated', steps: spending.steps, violation: violationOf(operations, search.deadEnd(), model) };
    }
  }
  return { kind: 'holds', steps: spending.steps, linearizations: parts.map(({ search }) => search.order()) };
}

/** An input that a model does not know would have the effect of one that it does, such as the last case of its `step`. */
function checkInputs<S, I, O>(history: readonly Operation<I, O>[], { refusal }: Model<S, I, O>): void {
  for (const { process, input } of history) {
    const takes = refusal?.(input);
    if (takes === undefined) continue;
    throw new BadHistory(
      `${process} calls ${canonicalText(input, 'an input')}, which is no operation of the model.`,
      `Give calls in a form that the model takes: ${takes}.`,
    );
  }
}

interface HistoryPart<S, I, O> {
  readonly operations: readonly Operation<I, O>[];
  readonly search: Search<S, I, O>;
}

const isOpen = <S, I, O>({ search }: HistoryPart<S, I, O>): boolean => search.found === undefined;

function takeTurn<S, I, O>(search: Search<S, I, O>, spending: Spending): void {
  const end = spending.steps + Math.min(TURN, spending.stepsLeft());
  for (; spending.steps < end && search.found === undefined; spending.steps++) search.advance();
}

function undecided<S, I, O>(parts: readonly HistoryPart<S, I, O>[], spent: string): string {
  const open = parts.filter(isOpen);
  const keys = [...new Set(open.flatMap(({ operations }) => operations[0]?.key ?? []))];
  const named = keys.length > KEYS_SHOWN ? [...keys.slice(0, KEYS_SHOWN), '…'] : keys;
  const which = named.length === 0 ? '' : ` (${named.join(', ')})`;
  return `${open.length} of ${parts.length} histories undecided after ${spent}${which}`;
}

/**
 * The history of each object, and of each part where the model names parts. A history is linearizable if and only if
 * these are: linearizability is local (Herlihy & Wing 1990; for parts, Horn & Kroening 2015).
 */
function partition<S, I, O>(history: readonly Operation<I, O>[], model: Model<S, I, O>): readonly Operation<I, O>[][] {
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
