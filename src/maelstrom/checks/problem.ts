import type { ClientOperation } from '../../kernel/client-history.ts';
import { HOLDS, type Verdict } from '../../trace/verdict.ts';
import { brief, isObject, type Body } from '../protocol/body.ts';
import { nameOfError } from '../protocol/error-codes.ts';

/** What is wrong with a history or a final state. */
export interface Problem {
  /** The kind of anomaly: problems of one kind count as the same bug. */
  readonly kind: string;
  readonly message: string;
  readonly processes: readonly string[];
  /** The evidence: plain data by name. */
  readonly values?: Readonly<Record<string, unknown>>;
}

export function verdictOn(oracle: string, problem: Problem | undefined): Verdict {
  if (problem === undefined) return HOLDS;
  const { kind, message, processes, values } = problem;
  return {
    kind: 'violated',
    oracle,
    message,
    processes: [...new Set(processes)],
    ...(values === undefined ? {} : { values }),
    fingerprint: `${oracle} ${kind}`,
  };
}

/** An operation whose request and answer are noted as bodies. */
export interface BodyOperation {
  readonly process: string;
  /** The request, and the node that it went to. */
  readonly input: Body & { readonly dest: string };
  /** The answer; missing if there is none, or an error that says nothing about the effect. */
  readonly output?: Body;
  readonly called: number;
  readonly returned?: number;
}

/** The operations of clients of this protocol; other processes of the user may note operations of their own. */
export const bodyOperations = (operations: readonly ClientOperation[]): BodyOperation[] =>
  operations.filter(
    (operation): operation is ClientOperation & BodyOperation => isObject(operation.input) && 'dest' in operation.input,
  );

export const isError = ({ output }: BodyOperation): boolean => output?.type === 'error';

/** Whether the operation had an effect: a definite error says no, and without an answer it is unknown. */
export const isAcknowledged = ({ output }: BodyOperation): boolean => output !== undefined && output.type !== 'error';

/** An operation in a few words: `c1 read at n2 → {"messages":[]}`. */
export function shownOperation({ process, input, output }: BodyOperation): string {
  const { type, dest, ...fields } = input;
  const asked =
    Object.keys(fields).length === 0
      ? type
      : `${type} ${brief(Object.values(fields).length === 1 ? Object.values(fields)[0] : fields)}`;
  return `${process} ${asked} at ${dest}${shownAnswer(output)}`;
}

function shownAnswer(output: Body | undefined): string {
  if (output === undefined) return ' (no answer)';
  const { type, ...fields } = output;
  if (type === 'error') return ` → ${nameOfError(Number(fields['code']))}`;
  const values = Object.values(fields);
  return values.length === 0 ? '' : ` → ${brief(values.length === 1 ? values[0] : fields)}`;
}
