/** A transaction as plain steps: reads have what was read. */
export interface PlainTransaction {
  readonly called: number;
  readonly returned: number | undefined;
  readonly status: 'committed' | 'aborted' | 'unknown';
  readonly steps: readonly { readonly f: 'r' | 'append' | 'w'; readonly key: string; readonly value: unknown }[];
}

type Database = ReadonlyMap<string, unknown>;

/** The database after a transaction; undefined if it cannot have read what it read. */
function after(database: Database, { steps, status }: PlainTransaction): Database | undefined {
  const next = new Map(database);
  for (const { f, key, value } of steps) {
    const now = next.get(key) ?? null;
    if (f === 'w') next.set(key, value);
    else if (f === 'append') next.set(key, [...((now as unknown[] | null) ?? []), value]);
    else if (status === 'committed' && JSON.stringify(now ?? []) !== JSON.stringify(value ?? [])) return undefined;
  }
  return next;
}

/**
 * Whether some serial order explains all reads: every order is tried, with and without each transaction whose result is unknown.
 * Strict: an order must respect that one returned before another was called.
 */
export function hasSerialOrder(transactions: readonly PlainTransaction[], isStrict: boolean): boolean {
  const rest = transactions.filter(({ status }) => status !== 'aborted');
  const tryFrom = (left: readonly PlainTransaction[], database: Database): boolean =>
    left.every(({ status }) => status === 'unknown') ||
    left.some((one) => {
      if (
        isStrict &&
        left.some(({ returned, status }) => status === 'committed' && returned !== undefined && returned < one.called)
      )
        return false;
      const next = after(database, one);
      return (
        next !== undefined &&
        tryFrom(
          left.filter((other) => other !== one),
          next,
        )
      );
    });
  return tryFrom(rest, new Map());
}
