import { textOf } from '../../kernel/user-code/answer.ts';
import { canonicalText } from './canonical.ts';
import type { Model } from './model.ts';
import { concurrent, type Operation } from './operation.ts';
import type { DeadEnd } from './search.ts';

/** Why a history is not linearizable, as data and as text. */
export interface NotLinearizable<S, I, O> {
  /** The object, where operations name one. */
  readonly key: string | undefined;
  /** The most that can be linearised, in an order in which it can be. */
  readonly prefix: readonly Operation<I, O>[];
  /** What the object is after the prefix. */
  readonly state: S;
  /** The operation that no order of the prefix allows, although it returned before anything else can come. */
  readonly operation: Operation<I, O>;
  /** What overlaps with it, in the order of calls. */
  readonly concurrent: readonly Operation<I, O>[];
  /** One sentence. */
  readonly message: string;
  /** The whole story, a few lines. */
  readonly lines: readonly string[];
}

/** Of long lists a reader is shown the end of the prefix and the beginning of what is concurrent. */
const SHOWN = 5;
const TEXT_MAX = 60;

export function violationOf<S, I, O>(
  history: readonly Operation<I, O>[],
  { prefix, state, operation }: DeadEnd<S, I, O>,
  model: Model<S, I, O>,
): NotLinearizable<S, I, O> {
  const tell = (told: Operation<I, O>): string => describeOperation(told, model);
  const others = history
    .filter((other) => other !== operation && concurrent(other, operation))
    .sort((a, b) => a.called - b.called);
  const { key } = operation;
  const about = key === undefined ? '' : `${key}: `;
  const message = `${about}${tell(operation)} fits nowhere: ${after(prefix, tell)}the state is ${brief(state)}`;
  const lines = [message, ...placed(prefix, tell), ...overlapping(others, tell)];
  return { key, prefix, state, operation, concurrent: others, message, lines };
}

type Tell<I, O> = (operation: Operation<I, O>) => string;

function after<I, O>(prefix: readonly Operation<I, O>[], tell: Tell<I, O>): string {
  const last = prefix.at(-1);
  return last === undefined ? 'at the start ' : `after ${tell(last)} `;
}

function placed<I, O>(prefix: readonly Operation<I, O>[], tell: Tell<I, O>): string[] {
  if (prefix.length === 0) return [];
  const hidden = prefix.length - SHOWN;
  return [
    'what comes before it, in an order that works:',
    ...(hidden > 0 ? [`  … ${hidden} more`] : []),
    ...prefix.slice(-SHOWN).map((operation) => `  ${tell(operation)}`),
  ];
}

function overlapping<I, O>(others: readonly Operation<I, O>[], tell: Tell<I, O>): string[] {
  if (others.length === 0) return ['nothing is concurrent with it'];
  const hidden = others.length - SHOWN;
  return [
    'concurrent with it:',
    ...others.slice(0, SHOWN).map((operation) => `  ${tell(operation)}`),
    ...(hidden > 0 ? [`  … ${hidden} more`] : []),
  ];
}

function describeOperation<S, I, O>(operation: Operation<I, O>, model: Model<S, I, O>): string {
  const { process, input, returned } = operation;
  const told =
    model.describe === undefined ? describeInput(input) : textOf('describe of the model', model.describe(input));
  const what = `${process} ${told}`;
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
