import { textOf } from '../../kernel/user-code/answer.ts';
import { canonicalText } from './canonical.ts';
import type { Model } from './model.ts';
import { concurrent, type Operation } from './operation.ts';
import type { DeadEnd } from './search.ts';

/** The reason why a history is not linearizable, as data and as text. */
export interface NotLinearizable<S, I, O> {
  /** The object, if operations name one. */
  readonly key: string | undefined;
  /** The longest prefix that can be linearized, in a valid order. */
  readonly prefix: readonly Operation<I, O>[];
  /** The state of the object after the prefix. */
  readonly state: S;
  /** The operation that no order of the prefix allows, although it returned before any other can come. */
  readonly operation: Operation<I, O>;
  /** The operations that overlap with it, in the order of calls. */
  readonly concurrent: readonly Operation<I, O>[];
  /** One sentence. */
  readonly message: string;
  /** The full explanation, a few lines. */
  readonly lines: readonly string[];
}

/** Messages show the end of a long prefix and the beginning of a long list of concurrent operations. */
const SHOWN = 5;
const TEXT_MAX = 60;

export function violationOf<S, I, O>(
  history: readonly Operation<I, O>[],
  { prefix, state, operation }: DeadEnd<S, I, O>,
  model: Model<S, I, O>,
): NotLinearizable<S, I, O> {
  const describe = (one: Operation<I, O>): string => describeOperation(one, model);
  const others = history
    .filter((other) => other !== operation && concurrent(other, operation))
    .sort((a, b) => a.called - b.called);
  const { key } = operation;
  const about = key === undefined ? '' : `${key}: `;
  const message = `${about}${describe(operation)} fits nowhere: ${after(prefix, describe)}the state is ${brief(state)}`;
  const lines = [message, ...placed(prefix, describe), ...overlapping(others, describe)];
  return { key, prefix, state, operation, concurrent: others, message, lines };
}

type Describe<I, O> = (operation: Operation<I, O>) => string;

function after<I, O>(prefix: readonly Operation<I, O>[], describe: Describe<I, O>): string {
  const last = prefix.at(-1);
  return last === undefined ? 'at the start ' : `after ${describe(last)} `;
}

function placed<I, O>(prefix: readonly Operation<I, O>[], describe: Describe<I, O>): string[] {
  if (prefix.length === 0) return [];
  const hidden = prefix.length - SHOWN;
  return [
    'what comes before it, in an order that works:',
    ...(hidden > 0 ? [`  … ${hidden} more`] : []),
    ...prefix.slice(-SHOWN).map((operation) => `  ${describe(operation)}`),
  ];
}

function overlapping<I, O>(others: readonly Operation<I, O>[], describe: Describe<I, O>): string[] {
  if (others.length === 0) return ['nothing is concurrent with it'];
  const hidden = others.length - SHOWN;
  return [
    'concurrent with it:',
    ...others.slice(0, SHOWN).map((operation) => `  ${describe(operation)}`),
    ...(hidden > 0 ? [`  … ${hidden} more`] : []),
  ];
}

function describeOperation<S, I, O>(operation: Operation<I, O>, model: Model<S, I, O>): string {
  const { process, input, returned } = operation;
  const call =
    model.describe === undefined ? describeInput(input) : textOf('describe of the model', model.describe(input));
  const what = `${process} ${call}`;
  if (returned === undefined) return `${what} (never returned)`;
  return 'output' in operation ? `${what} → ${brief(operation.output)}` : what;
}

/** `{ f: 'write', value: 1 }` is written `write(1)`. */
function describeInput(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null || !('f' in input)) return brief(input);
  return 'value' in input ? `${String(input.f)}(${brief(input.value)})` : String(input.f);
}

function brief(value: unknown): string {
  const text = value === undefined ? 'undefined' : canonicalText(value, 'a value');
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX - 1)}…`;
}
