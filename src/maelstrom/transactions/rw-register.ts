import { shownRead, type Anomaly } from './anomaly.ts';
import { Reachability } from './reachability.ts';
import type { DependencyGraph } from './graph.ts';
import { shownTransaction, textOfValue, type Transaction } from './transaction.ts';
import { writesTo, type Writes } from './writes.ts';

/** What a transaction read of a key before it wrote it itself. */
export interface RegisterRead {
  readonly by: Transaction;
  readonly key: string;
  /** The transaction that wrote it; undefined for the state before all writes. */
  readonly from: Transaction | undefined;
}

/** Reads every register of committed transactions. The first anomaly ends it. */
export function readRegisters(transactions: readonly Transaction[], writes: Writes): RegisterRead[] | Anomaly {
  const reads: RegisterRead[] = [];
  for (const by of transactions.filter(({ status }) => status === 'committed')) {
    const own = new Map<string, unknown>();
    for (const { f, key, value } of by.steps) {
      if (f === 'r' && own.has(key)) {
        const expected = textOfValue(own.get(key));
        if (expected !== textOfValue(value))
          return {
            name: 'internal',
            message: `${shownRead(by, key, value)}, but after its own steps it must read ${expected}`,
            transactions: [by],
          };
      } else if (f === 'r') {
        const read = readFrom(by, key, value, writes);
        if ('message' in read) return read;
        reads.push(read);
      }
      own.set(key, value);
    }
  }
  return reads;
}

function readFrom(by: Transaction, key: string, value: unknown, writes: Writes): RegisterRead | Anomaly {
  if (value === null) return { by, key, from: undefined };
  const what = shownRead(by, key, value);
  const write = writes.find(key, value);
  if (write === undefined)
    return { name: 'unheard of', message: `${what}, which no transaction wrote`, transactions: [by] };
  if (write.by === by) return { name: 'internal', message: `${what}, which it writes later`, transactions: [by] };
  const transactions = [by, write.by];
  if (write.by.status === 'aborted')
    return { name: 'G1a', message: `${what}, but ${shownTransaction(write.by)} was aborted`, transactions };
  if (!write.isFinal) return { name: 'G1b', message: `${what}, a part of ${shownTransaction(write.by)}`, transactions };
  return { by, key, from: write.by };
}

/**
 * Adds the dependencies that follow from the reads themselves: a reader comes after the transaction whose write it read, and writes
 * after what it read; a reader of the first state comes before all writers.
 */
export function addReadDependencies(graph: DependencyGraph, reads: readonly RegisterRead[]): void {
  for (const { by, key, from } of reads) {
    if (from === undefined) for (const writer of writersOf(graph, key)) graph.add('rw', by, writer, key);
    else {
      graph.add('wr', from, by, key);
      if (writesTo(by, key).length > 0) graph.add('ww', from, by, key);
    }
  }
}

const writersOf = ({ transactions }: DependencyGraph, key: string): Transaction[] =>
  transactions.filter((one) => writesTo(one, key).length > 0);

/** A reader, the writer of what it read, and another writer of the key, which comes before that writer or after the reader. */
interface Choice {
  readonly by: Transaction;
  readonly key: string;
  readonly from: Transaction;
  readonly other: Transaction;
}

const choicesIn = (graph: DependencyGraph, reads: readonly RegisterRead[]): Choice[] =>
  reads.flatMap(({ by, key, from }) =>
    from === undefined
      ? []
      : writersOf(graph, key)
          .filter((other) => other !== by && other !== from)
          .map((other) => ({ by, key, from, other })),
  );

/** Adds what follows in every serial order, until nothing new follows or there is a cycle. Returns the choices that remain. */
function addImplied(graph: DependencyGraph, choices: readonly Choice[]): readonly Choice[] | 'cycle' {
  for (;;) {
    const reach = new Reachability(graph);
    if (reach.hasCycle) return 'cycle';
    let isNew = false;
    for (const { by, key, from, other } of choices) {
      if (reach.has(from, other)) isNew = graph.add('rw', by, other, key) || isNew;
      if (reach.has(other, by)) isNew = graph.add('ww', other, from, key) || isNew;
    }
    if (!isNew) return choices.filter(({ by, from, other }) => !reach.has(by, other) && !reach.has(other, from));
  }
}

/** So often a choice is tried: to decide whether there is a serial order is NP-complete (Papadimitriou 1979). */
const TRIES = 1_000;

/**
 * Whether there is a serial order; undefined if that was not found out. Adds the dependencies that follow in every one: if there is
 * none, there usually is a cycle among them.
 */
export function hasSerialOrder(graph: DependencyGraph, reads: readonly RegisterRead[]): boolean | undefined {
  const open = addImplied(graph, choicesIn(graph, reads));
  return open === 'cycle' ? false : decided(graph, open, { left: TRIES });
}

function decided(graph: DependencyGraph, open: readonly Choice[], tries: { left: number }): boolean | undefined {
  const [choice] = open;
  if (choice === undefined) return true;
  const { by, key, from, other } = choice;
  let answer: boolean | undefined = false;
  for (const [kind, first, second] of [
    ['ww', other, from],
    ['rw', by, other],
  ] as const) {
    if (tries.left-- <= 0) return undefined;
    const tried = graph.copy();
    tried.add(kind, first, second, key);
    const left = addImplied(tried, open);
    const found = left === 'cycle' ? false : decided(tried, left, tries);
    if (found === true) return true;
    if (found === undefined) answer = undefined;
  }
  return answer;
}
