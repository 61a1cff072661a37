import { canonicalText } from '../../oracles/linearizability/canonical.ts';
import { isAcknowledged, isError, type BodyOperation } from '../checks/problem.ts';
import { brief } from '../protocol/body.ts';

/** One step of a transaction: it reads a key, appends to its list, or writes it. */
export interface Step {
  readonly f: 'r' | 'append' | 'w';
  /** The text of the key, which is equal for equal keys. */
  readonly key: string;
  /** What was read, or is written. */
  readonly value: unknown;
}

/** A transaction of a history. */
export interface Transaction {
  readonly client: string;
  readonly node: string;
  readonly called: number;
  readonly returned: number | undefined;
  /** Aborted: it had no effect. Unknown: it may have one, and its reads are not known. */
  readonly status: 'committed' | 'aborted' | 'unknown';
  readonly steps: readonly Step[];
}

/** The transactions of a history, in the order of their calls. */
export const transactionsIn = (operations: readonly BodyOperation[]): Transaction[] =>
  operations
    .filter(({ input }) => input.type === 'txn')
    .map((operation) => {
      const { process: client, input, output, called, returned } = operation;
      const isCommitted = isAcknowledged(operation);
      const steps = stepsOf(isCommitted ? output?.['txn'] : input['txn']);
      return {
        client,
        node: input.dest,
        called,
        returned,
        status: isCommitted ? 'committed' : isError(operation) ? 'aborted' : 'unknown',
        steps: isCommitted ? steps : steps.filter(({ f }) => f !== 'r'),
      };
    });

type RawStep = readonly [f: Step['f'], key: unknown, value: unknown];

const stepsOf = (raw: unknown): Step[] =>
  (raw as readonly RawStep[]).map(([f, key, value]) => ({ f, key: canonicalText(key, 'a key'), value }));

export const textOfValue = (value: unknown): string => canonicalText(value, 'a value');

/** Names the writes of one key and value: no two transactions of a workload write the same. */
export const writeName = (key: string, value: unknown): string => `${key} ${textOfValue(value)}`;

/** `c1 [r 0 → [1], append 0 2]`. */
export function shownTransaction({ client, steps }: Transaction): string {
  const shown = steps.map(({ f, key, value }) =>
    f === 'r' ? `r ${key} → ${brief(value)}` : `${f} ${key} ${brief(value)}`,
  );
  return `${client} [${shown.join(', ')}]`;
}
