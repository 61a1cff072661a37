import { writeName, type Step, type Transaction } from './transaction.ts';

/** A write or append, and its place among those of its transaction to the same key. */
export interface Write {
  readonly by: Transaction;
  readonly key: string;
  readonly value: unknown;
  readonly nth: number;
  /** Whether it is the last one of its transaction to the key. */
  readonly isFinal: boolean;
}

const isWrite = ({ f }: Step): boolean => f !== 'r';

/** The writes of a transaction to a key, in their order. */
export const writesTo = ({ steps }: Transaction, key: string): Step[] =>
  steps.filter((step) => isWrite(step) && step.key === key);

/** All writes of a history, by key and value. */
export class Writes {
  private readonly byName = new Map<string, Write>();
  /** Two writes of the same value to the same key: then nothing can be inferred. */
  readonly ambiguous: readonly [Write, Write] | undefined;

  constructor(transactions: readonly Transaction[]) {
    for (const write of transactions.flatMap(writesOf)) {
      const name = writeName(write.key, write.value);
      const other = this.byName.get(name);
      if (other !== undefined) this.ambiguous ??= [other, write];
      else this.byName.set(name, write);
    }
  }

  find(key: string, value: unknown): Write | undefined {
    return this.byName.get(writeName(key, value));
  }
}

function writesOf(by: Transaction): Write[] {
  const keys = [...new Set(by.steps.filter(isWrite).map(({ key }) => key))];
  return keys.flatMap((key) => {
    const steps = writesTo(by, key);
    return steps.map(({ value }, nth): Write => ({ by, key, value, nth, isFinal: nth === steps.length - 1 }));
  });
}
