import type { DependencyGraph } from './graph.ts';
import { shownRead, type Anomaly } from './anomaly.ts';
import { shownTransaction, textOfValue, type Transaction } from './transaction.ts';
import { writesTo, type Write, type Writes } from './writes.ts';

/** What a transaction read of a key before it appended to it itself. */
interface ListRead {
  readonly by: Transaction;
  readonly key: string;
  /** Without the appends of the reader. */
  readonly elements: readonly unknown[];
}

/** Everything that reads of lists show. */
export interface ListReads {
  readonly reads: readonly ListRead[];
  /** The longest list that was read of each key, with the appends of the reader: all others are prefixes of it. */
  readonly longest: ReadonlyMap<string, readonly unknown[]>;
}

/** Reads every list of committed transactions. The first anomaly ends it. */
export function readLists(transactions: readonly Transaction[], writes: Writes): ListReads | Anomaly {
  const reads: ListRead[] = [];
  const lists = new Map<string, { readonly by: Transaction; readonly list: readonly unknown[] }[]>();
  for (const by of transactions.filter(({ status }) => status === 'committed')) {
    const own = new Map<string, { before: readonly unknown[] | undefined; readonly appended: unknown[] }>();
    for (const { f, key, value } of by.steps) {
      const state = own.get(key) ?? { before: undefined, appended: [] };
      own.set(key, state);
      if (f !== 'r') {
        state.appended.push(value);
        continue;
      }
      const list = (value ?? []) as readonly unknown[];
      const elements = list.slice(0, Math.max(0, list.length - state.appended.length));
      const expected = [...(state.before ?? elements), ...state.appended];
      if (textOfValue(expected) !== textOfValue(list))
        return internal(by, key, value, `after its own steps it must read ${textOfValue(expected)}`);
      const wrong = wrongElement(by, key, list, elements, writes);
      if (wrong !== undefined) return wrong;
      if (state.before === undefined) reads.push({ by, key, elements });
      state.before = elements;
      lists.set(key, [...(lists.get(key) ?? []), { by, list }]);
    }
  }
  return longestLists(lists, reads);
}

const internal = (by: Transaction, key: string, value: unknown, why: string): Anomaly => ({
  name: 'internal',
  message: `${shownRead(by, key, value)}, but ${why}`,
  transactions: [by],
});

/** The first element that no order of transactions explains. `elements` are those of other transactions. */
function wrongElement(
  by: Transaction,
  key: string,
  list: readonly unknown[],
  elements: readonly unknown[],
  writes: Writes,
): Anomaly | undefined {
  const what = shownRead(by, key, list);
  const twice = list.find((element, at) => list.findIndex((other) => textOfValue(other) === textOfValue(element)) < at);
  if (twice !== undefined)
    return { name: 'duplicate', message: `${what}: ${textOfValue(twice)} is there twice`, transactions: [by] };
  for (const [at, element] of elements.entries()) {
    const write = writes.find(key, element);
    if (write === undefined)
      return {
        name: 'unheard of',
        message: `${what}: no transaction appended ${textOfValue(element)}`,
        transactions: [by],
      };
    if (write.by === by) return internal(by, key, list, `it appends ${textOfValue(element)} later`);
    const transactions = [by, write.by];
    if (write.by.status === 'aborted')
      return { name: 'G1a', message: `${what}, but ${shownTransaction(write.by)} was aborted`, transactions };
    const torn = whyTorn(write, elements, at);
    if (torn !== undefined)
      return { name: torn, message: `${what}: a part of ${shownTransaction(write.by)}`, transactions };
  }
  return undefined;
}

/** The appends of a transaction are there as a whole, one after another: G1b if some are missing, G0 if others are between them. */
function whyTorn({ by, key, nth }: Write, elements: readonly unknown[], at: number): string | undefined {
  const all = writesTo(by, key).map(({ value }) => textOfValue(value));
  const texts = elements.map(textOfValue);
  const there = texts.slice(at - nth, at - nth + all.length);
  if (at >= nth && there.length === all.length && there.every((text, index) => text === all[index])) return undefined;
  return all.every((text) => texts.includes(text)) ? 'G0' : 'G1b';
}

function longestLists(
  lists: ReadonlyMap<string, readonly { readonly by: Transaction; readonly list: readonly unknown[] }[]>,
  reads: readonly ListRead[],
): ListReads | Anomaly {
  const longest = new Map<string, readonly unknown[]>();
  for (const [key, found] of lists) {
    const byLength = found.toSorted((one, other) => one.list.length - other.list.length);
    for (const [at, { by, list }] of byLength.entries()) {
      const before = byLength[at - 1];
      if (before !== undefined && textOfValue(list.slice(0, before.list.length)) !== textOfValue(before.list))
        return {
          name: 'incompatible order',
          message: `${shownRead(before.by, key, before.list)}, and ${shownRead(by, key, list)}: neither can come first`,
          transactions: [before.by, by],
        };
      longest.set(key, list);
    }
  }
  return { reads, longest };
}

/**
 * Adds every dependency that follows from the lists. Appends never vanish, and every value is appended once, so a reader comes after
 * each transaction whose append it read, and before each other one; and appends that were read come before those that were not. A
 * history of committed transactions without a cycle is serializable: any order that respects the dependencies explains it.
 */
export function addListDependencies(graph: DependencyGraph, { reads, longest }: ListReads): void {
  const keys = new Set(graph.transactions.flatMap(({ steps }) => steps.map(({ key }) => key)));
  for (const key of keys) {
    const places = new Map((longest.get(key) ?? []).map((value, at) => [textOfValue(value), at]));
    const placeOf = (value: unknown): number => places.get(textOfValue(value)) ?? Infinity;
    const appenders = graph.transactions
      .map((by) => ({
        by,
        place: Math.min(...writesTo(by, key).map(({ value }) => placeOf(value))),
        appends: writesTo(by, key),
      }))
      .filter(({ appends }) => appends.length > 0);
    for (const one of appenders)
      for (const other of appenders) if (one.place < other.place) graph.add('ww', one.by, other.by, key);
    for (const read of reads.filter((one) => one.key === key)) {
      const seen = new Set(read.elements.map(textOfValue));
      for (const { by, appends } of appenders) {
        if (appends.some(({ value }) => seen.has(textOfValue(value)))) graph.add('wr', by, read.by, key);
        else graph.add('rw', read.by, by, key);
      }
    }
  }
}
