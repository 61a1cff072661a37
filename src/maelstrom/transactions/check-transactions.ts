import { cycleAnomaly, type Anomaly } from './anomaly.ts';
import { forbids, type ConsistencyModel } from './consistency.ts';
import { worstCycle } from './cycles.ts';
import { DependencyGraph } from './graph.ts';
import { addListDependencies, readLists } from './list-append.ts';
import { addReadDependencies, hasSerialOrder, readRegisters } from './rw-register.ts';
import { shownTransaction, type Transaction } from './transaction.ts';
import { Writes, type Write } from './writes.ts';

/** The answer of a check of transactions. */
export type TransactionsChecked =
  | { readonly kind: 'holds' }
  | { readonly kind: 'violated'; readonly anomaly: Anomaly }
  | { readonly kind: 'unknown'; readonly why: string };

const HOLDS: TransactionsChecked = { kind: 'holds' };

/** Whether a history of transactions on lists has an anomaly that the model forbids. */
export function checkListAppend(transactions: readonly Transaction[], model: ConsistencyModel): TransactionsChecked {
  const writes = new Writes(transactions);
  if (writes.ambiguous !== undefined) return ambiguous(writes.ambiguous);
  const read = readLists(transactions, writes);
  if ('message' in read) return judged(read, model);
  const wereRead = [...read.longest].flatMap(([key, values]) => values.map((value) => writes.find(key, value)?.by));
  const graph = new DependencyGraph(effective(transactions, wereRead));
  addListDependencies(graph, read);
  addRealTime(graph, model);
  return cycleIn(graph, model);
}

/** The same of transactions on registers. */
export function checkRegisters(transactions: readonly Transaction[], model: ConsistencyModel): TransactionsChecked {
  const writes = new Writes(transactions);
  if (writes.ambiguous !== undefined) return ambiguous(writes.ambiguous);
  const reads = readRegisters(transactions, writes);
  if ('message' in reads) return judged(reads, model);
  const wereRead = reads.map(({ from }) => from);
  const graph = new DependencyGraph(effective(transactions, wereRead));
  addReadDependencies(graph, reads);
  addRealTime(graph, model);
  // Weaker models promise no serial order, so nothing more follows.
  if (!forbids(model, 'G2')) return cycleIn(graph, model);
  const isSerial = hasSerialOrder(graph, reads);
  if (isSerial === undefined)
    return { kind: 'unknown', why: 'too many orders of the writes are possible to look for a serial one' };
  const checked = isSerial ? HOLDS : cycleIn(graph, model);
  return isSerial || checked.kind === 'violated' ? checked : { kind: 'violated', anomaly: noSerialOrder(graph) };
}

/** No cycle is certain, but every order of the writes has one. */
const noSerialOrder = ({ transactions }: DependencyGraph): Anomaly => ({
  name: 'no serial order',
  message: `no order of the writes fits the reads: ${transactions.map(shownTransaction).join(', ')}`,
  transactions,
});

/** Transactions that had an effect: those that committed, and those with an unknown result whose writes were read. */
function effective(
  transactions: readonly Transaction[],
  wereRead: readonly (Transaction | undefined)[],
): Transaction[] {
  const known = new Set(wereRead);
  return transactions.filter((one) => one.status === 'committed' || (one.status === 'unknown' && known.has(one)));
}

function addRealTime(graph: DependencyGraph, model: ConsistencyModel): void {
  if (model !== 'strict-serializable') return;
  for (const from of graph.transactions)
    for (const to of graph.transactions)
      if (from.returned !== undefined && from.returned < to.called) graph.add('rt', from, to, '');
}

function cycleIn(graph: DependencyGraph, model: ConsistencyModel): TransactionsChecked {
  const cycle = worstCycle(graph, (anomaly) => forbids(model, anomaly));
  return cycle === undefined ? HOLDS : { kind: 'violated', anomaly: cycleAnomaly(cycle) };
}

/** An anomaly that the model allows leaves the order of versions unknown, and with it everything else. */
const judged = (anomaly: Anomaly, model: ConsistencyModel): TransactionsChecked =>
  forbids(model, anomaly.name)
    ? { kind: 'violated', anomaly }
    : {
        kind: 'unknown',
        why: `${model} allows ${anomaly.name} (${anomaly.message}), after which nothing can be inferred`,
      };

const ambiguous = ([one, other]: readonly [Write, Write]): TransactionsChecked => ({
  kind: 'unknown',
  why: `${shownTransaction(one.by)} and ${shownTransaction(other.by)} write the same value, so reads do not show which is meant`,
});
