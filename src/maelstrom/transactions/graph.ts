import type { Transaction } from './transaction.ts';

/**
 * Why one transaction comes before another: both wrote a key, in this order (ww); the second read what the first wrote (wr); the
 * first read a state before what the second wrote (rw); or the first returned before the second was called (rt).
 */
export type DependencyKind = 'ww' | 'wr' | 'rw' | 'rt';

export interface Dependency {
  readonly kind: DependencyKind;
  readonly from: Transaction;
  readonly to: Transaction;
  /** The key; empty for the order of real time. */
  readonly key: string;
}

/** The order that a history demands of its transactions. */
export class DependencyGraph {
  private readonly edges = new Map<Transaction, Map<Transaction, Dependency[]>>();

  constructor(readonly transactions: readonly Transaction[]) {
    for (const transaction of transactions) this.edges.set(transaction, new Map());
  }

  copy(): DependencyGraph {
    const copy = new DependencyGraph(this.transactions);
    for (const [from, outgoing] of this.edges)
      copy.edges.set(from, new Map([...outgoing].map(([to, between]) => [to, [...between]])));
    return copy;
  }

  /** Whether it was new. A transaction does not depend on itself. */
  add(kind: DependencyKind, from: Transaction, to: Transaction, key: string): boolean {
    if (from === to) return false;
    const outgoing = this.edges.get(from) as Map<Transaction, Dependency[]>;
    const between = outgoing.get(to) ?? [];
    if (between.some((one) => one.kind === kind)) return false;
    between.push({ kind, from, to, key });
    outgoing.set(to, between);
    return true;
  }

  /** The dependencies from a transaction, one of these kinds to each. */
  from(transaction: Transaction, kinds: ReadonlySet<DependencyKind>): Dependency[] {
    return [...(this.edges.get(transaction) ?? new Map<Transaction, Dependency[]>()).values()].flatMap((between) => {
      const one = between.find(({ kind }) => kinds.has(kind));
      return one === undefined ? [] : [one];
    });
  }

  /** The shortest way from one transaction to another along these kinds. */
  path(from: Transaction, to: Transaction, kinds: ReadonlySet<DependencyKind>): Dependency[] | undefined {
    const cameBy = new Map<Transaction, Dependency>();
    for (let reached = [from]; reached.length > 0;) {
      const next: Transaction[] = [];
      for (const dependency of reached.flatMap((one) => this.from(one, kinds))) {
        if (cameBy.has(dependency.to)) continue;
        cameBy.set(dependency.to, dependency);
        if (dependency.to === to) return wayBack(cameBy, from, to);
        next.push(dependency.to);
      }
      reached = next;
    }
    return undefined;
  }

  /** Whether there is no cycle of these kinds: transactions that nothing precedes are taken away until none is left. */
  isAcyclic(kinds: ReadonlySet<DependencyKind>): boolean {
    const before = new Map(this.transactions.map((one) => [one, 0]));
    const outgoing = new Map(this.transactions.map((one) => [one, this.from(one, kinds)]));
    for (const { to } of [...outgoing.values()].flat()) before.set(to, (before.get(to) ?? 0) + 1);
    const free = this.transactions.filter((one) => before.get(one) === 0);
    for (const one of free)
      for (const { to } of outgoing.get(one) ?? []) {
        const left = (before.get(to) ?? 0) - 1;
        before.set(to, left);
        if (left === 0) free.push(to);
      }
    return free.length === this.transactions.length;
  }
}

function wayBack(cameBy: ReadonlyMap<Transaction, Dependency>, from: Transaction, to: Transaction): Dependency[] {
  const way: Dependency[] = [];
  let at = to;
  do {
    const dependency = cameBy.get(at) as Dependency;
    way.unshift(dependency);
    at = dependency.from;
  } while (at !== from);
  return way;
}
