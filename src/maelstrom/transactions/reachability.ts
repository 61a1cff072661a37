import type { DependencyGraph, DependencyKind } from './graph.ts';
import type { Transaction } from './transaction.ts';

const every: ReadonlySet<DependencyKind> = new Set(['ww', 'wr', 'rw', 'rt']);

/** Which transactions come before which, directly or not: a transitive closure. */
export class Reachability {
  readonly hasCycle: boolean;
  private readonly places: ReadonlyMap<Transaction, number>;
  /** By place: the places that follow, as bits. */
  private readonly rows: readonly Uint32Array[];

  constructor(graph: DependencyGraph) {
    const { transactions } = graph;
    this.places = new Map(transactions.map((one, at) => [one, at]));
    const rows = transactions.map((one) => {
      const row = new Uint32Array((transactions.length + 31) >> 5);
      for (const { to } of graph.from(one, every)) setBit(row, this.places.get(to) as number);
      return row;
    });
    for (const [middle, through] of rows.entries())
      for (const row of rows)
        if (hasBit(row, middle))
          for (let at = 0; at < row.length; at++) row[at] = (row[at] as number) | (through[at] as number);
    this.rows = rows;
    this.hasCycle = rows.some((row, at) => hasBit(row, at));
  }

  has(from: Transaction, to: Transaction): boolean {
    const [row, at] = [this.rows[this.places.get(from) ?? -1], this.places.get(to)];
    return row !== undefined && at !== undefined && hasBit(row, at);
  }
}

const setBit = (row: Uint32Array, at: number): void => {
  row[at >> 5] = (row[at >> 5] as number) | (1 << (at & 31));
};

const hasBit = (row: Uint32Array, at: number): boolean => ((row[at >> 5] as number) & (1 << (at & 31))) !== 0;
