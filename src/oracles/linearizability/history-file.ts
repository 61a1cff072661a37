import * as v from 'valibot';
import { badAnswer, truthOf } from '../../kernel/user-code/answer.ts';
import { isPromise } from '../../kernel/handling.ts';
import { BadHistory } from './bad-history.ts';
import { canonicalText } from './canonical.ts';
import type { Operation } from './operation.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Reads a history in the form that Jepsen made common: JSON lines, one event each, in the order in which they happened.
 *
 *     {"process":"c1","type":"invoke","f":"write","key":"x","value":1}
 *     {"process":"c2","type":"invoke","f":"read","key":"x"}
 *     {"process":"c1","type":"ok","f":"write","key":"x"}
 *     {"process":"c2","type":"ok","f":"read","key":"x","value":1}
 *
 * - `process`: the client, a text or a number. It has one operation under way at a time.
 * - `type`: `invoke` is the call. It ends with `ok`: it returned; `fail`: it did not happen, for certain; `info`: it is
 *   unknown whether it happened or will happen. Operations without an end count as `info`.
 * - `f`, `value`: of an `invoke`, the function and its argument, in the words of the model. Of an `ok`, `value` is the
 *   returned value; omit it if that is nothing or unknown. Other types ignore it.
 * - `key`: the object, a text or a number; optional.
 *
 * The end of an operation may omit `f` and `key`. Other fields, empty lines and the process `nemesis` are ignored.
 * `file` is the name of the text in messages. Positions in the result are line numbers.
 */
export function readHistory<I>(text: string, vocabulary: Vocabulary<I>, file: string): Operation<I, unknown>[] {
  const reader = new Reader(vocabulary);
  for (const [at, lineText] of text.split('\n').entries()) {
    if (lineText.trim() === '') continue;
    const where = `${file}, line ${at + 1}`;
    const line = parseLine(lineText, where);
    if (line.process === 'nemesis') continue;
    if (line.type === 'invoke') reader.invoke(line, at + 1, where);
    else reader.end(line, at + 1, where);
  }
  return reader.history();
}

interface UnderWay<I> {
  readonly f: string;
  readonly operation: Operation<I, unknown>;
}

class Reader<I> {
  private readonly underWay = new Map<string, UnderWay<I>>();
  /** The operations that happened or may have happened, in the order of their calls, by position. */
  private readonly operations = new Map<number, Operation<I, unknown>>();

  constructor(private readonly vocabulary: Vocabulary<I>) {}

  history(): Operation<I, unknown>[] {
    return [...this.operations.values()];
  }

  invoke(line: HistoryLine, called: number, where: string): void {
    const { process, key, f } = line;
    const earlier = this.underWay.get(process);
    if (earlier !== undefined) throw twoAtOnce(where, process, earlier);
    const operation = { process, key, input: this.inputOf(line, where), called };
    this.underWay.set(process, { f: String(f), operation });
    this.operations.set(called, operation);
  }

  end(line: HistoryLine, returned: number, where: string): void {
    const { process, type } = line;
    const begun = this.underWay.get(process);
    if (begun === undefined) throw nothingToEnd(where, process, type);
    checkSame(where, 'f', line.f, begun.f, begun.operation);
    checkSame(where, 'key', line.key, begun.operation.key, begun.operation);
    this.underWay.delete(process);
    const { operation } = begun;
    if (type === 'fail') this.operations.delete(operation.called);
    if (type !== 'ok') return;
    const output = 'value' in line ? { output: this.outputOf(line, operation, where) } : {};
    this.operations.set(operation.called, { ...operation, ...output, returned });
  }

  private inputOf({ f, value }: HistoryLine, where: string): I {
    const input = f === undefined ? undefined : this.vocabulary.input(value === undefined ? { f } : { f, value });
    if (isPromise(input)) throw badAnswer(`${where}: input of the vocabulary`, input, 'Return what the model takes.');
    if (input !== undefined) return input;
    throw new BadHistory(
      `${where}: the model has no operation ${shown({ f, value })}.`,
      'Use the names of the model, and give a value to those that take one; or check with another model.',
    );
  }

  private outputOf({ f, value }: HistoryLine, { input }: Operation<I, unknown>, where: string): unknown {
    const { returns } = this.vocabulary;
    if (returns === undefined || truthOf(`${where}: returns of the vocabulary`, returns(input, value))) return value;
    throw new BadHistory(
      `${where}: ${f ?? 'the operation'} does not return ${shown(value)}.`,
      'The value of an ok is the result, not the argument; omit it if it is unknown.',
    );
  }
}

function twoAtOnce<I>(where: string, process: string, { f, operation }: UnderWay<I>): BadHistory {
  return new BadHistory(
    `${where}: ${process} calls again, but its ${f} of line ${operation.called} has not ended.`,
    'End it with ok, fail or info, or give concurrent clients different names.',
  );
}

function nothingToEnd(where: string, process: string, type: string): BadHistory {
  return new BadHistory(
    `${where}: ${type} of ${process}, which has no open operation.`,
    'Each ok, fail or info ends the last invoke of its process: one is missing, or the lines are not in order.',
  );
}

function checkSame(
  where: string,
  field: string,
  ended: string | undefined,
  begun: string | undefined,
  { process, called }: Operation<unknown, unknown>,
): void {
  if (ended === undefined || ended === begun) return;
  throw new BadHistory(
    `${where}: ${process} ends with the ${field} ${ended} what it began in line ${called} with ${begun ?? 'none'}.`,
    'An operation ends with the f and the key it was called with, or leaves them out.',
  );
}

const shown = (value: unknown): string => canonicalText(value, 'a value');

const name = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

const lineSchema = v.object({
  process: name,
  type: v.picklist(['invoke', 'ok', 'fail', 'info']),
  f: v.optional(v.string()),
  key: v.optional(name),
  value: v.optional(v.unknown()),
});

/** One event of a history: see `readHistory`. */
type HistoryLine = v.InferOutput<typeof lineSchema>;

/** `where` is the file and the line, in messages. */
function parseLine(text: string, where: string): HistoryLine {
  const result = v.safeParse(lineSchema, parseJson(text, where));
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw new BadHistory(`${where}${path === null ? '' : `, ${path}`}: ${issue.message}.`, FORMAT);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadHistory(`${where} is not JSON: ${why}.`, FORMAT, { cause: error });
  }
}

const FORMAT =
  'A line is an object such as {"process":"c1","type":"invoke","f":"write","key":"x","value":1}; its type is invoke, ok, fail or info.';
