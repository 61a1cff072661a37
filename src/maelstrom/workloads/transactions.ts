import { historyOracle } from '../../oracles/history-oracle.ts';
import { canonicalText } from '../../oracles/linearizability/canonical.ts';
import { HOLDS, type Verdict } from '../../trace/verdict.ts';
import { bodyOperations, verdictOn } from '../checks/problem.ts';
import type { Body } from '../protocol/body.ts';
import { problemFrom } from '../transactions/anomaly.ts';
import { checkListAppend, checkRegisters, type TransactionsChecked } from '../transactions/check-transactions.ts';
import type { ConsistencyModel } from '../transactions/consistency.ts';
import { transactionsIn } from '../transactions/transaction.ts';
import { whyWrongType, type Dice, type Workload } from './workload.ts';

const STEPS_MAX = 4;

interface TransactionWorkload {
  readonly name: string;
  readonly write: 'append' | 'w';
  readonly check: typeof checkListAppend;
}

/** Transactions of reads and writes. Every value is written once. */
const transactions =
  ({ name, write, check }: TransactionWorkload) =>
  (keys: number, model: ConsistencyModel): Workload => ({
    request: (dice, nth) => ({ type: 'txn', txn: drawnSteps(dice, nth, keys, write) }),
    whyWrong: (request, reply) =>
      whyWrongType(request, reply, 'txn', Array.isArray) ?? whyWrongSteps(request, reply, write === 'append'),
    oracle: historyOracle((operations) => verdictOf(name, check(transactionsIn(bodyOperations(operations)), model))),
  });

export const txnListAppend = transactions({ name: 'txn-list-append', write: 'append', check: checkListAppend });
export const txnRwRegister = transactions({ name: 'txn-rw-register', write: 'w', check: checkRegisters });

const drawnSteps = (dice: Dice, nth: number, keys: number, write: string): unknown[] =>
  Array.from({ length: dice.nextInt(1, STEPS_MAX) }, (_, step) => {
    const key = dice.nextInt(0, keys - 1);
    return dice.nextInt(0, 1) === 0 ? ['r', key, null] : [write, key, nth * STEPS_MAX + step + 1];
  });

/** The reason why the answer is not the same transaction with its reads filled in. */
function whyWrongSteps({ txn: asked }: Body, { txn: given }: Body, readsLists: boolean): string | undefined {
  const [before, after] = [asked as readonly (readonly unknown[])[], given as readonly unknown[]];
  if (before.length !== after.length) return 'it has another number of steps';
  const wrong = before.findIndex(([f, key, value], at) => {
    const step = after[at];
    if (!Array.isArray(step) || step.length < 2) return true;
    const [otherF, otherKey, found = null] = step as readonly unknown[];
    if (otherF !== f || textOf(otherKey) !== textOf(key)) return true;
    return f === 'r' ? readsLists && found !== null && !Array.isArray(found) : textOf(found) !== textOf(value);
  });
  return wrong < 0 ? undefined : `its step ${wrong + 1} does not answer that of the request`;
}

const textOf = (value: unknown): string => canonicalText(value, 'a step');

function verdictOf(name: string, checked: TransactionsChecked): Verdict {
  switch (checked.kind) {
    case 'holds':
      return HOLDS;
    case 'unknown':
      return { kind: 'unknown', why: checked.why };
    case 'violated':
      return verdictOn(name, problemFrom(checked.anomaly));
  }
}
