import type { Problem } from '../checks/problem.ts';
import { brief } from '../protocol/body.ts';
import type { Cycle } from './cycles.ts';
import type { Dependency } from './graph.ts';
import { shownTransaction, type Transaction } from './transaction.ts';

/** Something in a history that no order of its transactions explains. */
export interface Anomaly {
  readonly name: string;
  readonly message: string;
  readonly transactions: readonly Transaction[];
}

export const problemFrom = ({ name, message, transactions }: Anomaly): Problem => ({
  kind: name,
  message: `${name}: ${message}`,
  processes: transactions.flatMap(({ client, node }) => [client, node]),
  values: { transactions: transactions.map(shownTransaction) },
});

export const cycleAnomaly = ({ anomaly, dependencies }: Cycle): Anomaly => ({
  name: anomaly,
  message: dependencies.map(shownDependency).join('; '),
  transactions: dependencies.map(({ from }) => from),
});

const relations: Readonly<Record<Dependency['kind'], (key: string) => string>> = {
  ww: (key) => `wrote ${key} before`,
  wr: (key) => `wrote what was read of ${key} by`,
  rw: (key) => `read ${key} before the write of`,
  rt: () => 'returned before the call of',
};

const shownDependency = ({ kind, from, to, key }: Dependency): string =>
  `${shownTransaction(from)} ${relations[kind](key)} ${shownTransaction(to)}`;

/** A read, in the sentence of an anomaly. */
export const shownRead = (reader: Transaction, key: string, value: unknown): string =>
  `${shownTransaction(reader)} read ${brief(value)} of ${key}`;
