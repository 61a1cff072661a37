import type { Context } from 'culprit';
import type { Message } from './messages.ts';

/** One replica of the row, and what it knows as a coordinator. */
export interface Node {
  /** The columns that reads see, in order; the last one is the newest. */
  row: string[];
  /** By column that a client waits for: how many replicas have applied it. */
  acks: Record<string, number>;
  /** By replica: the columns that it missed. */
  hints: Record<string, string[]>;
  /** The replies to the read under way, by replica. */
  slices: Record<string, string[]> | null;
}

export type Ctx = Context<Message>;

/** The row is durable; everything else was in memory. */
export const newNode = (ctx: Ctx, columns: readonly string[]): Node => ({
  row: columns.filter((column) => ctx.disk.peek(column) === true),
  acks: {},
  hints: {},
  slices: null,
});

/**
 * Reads see a column as soon as it is here; it is acknowledged once it is durable. A column that is here already stays.
 */
export function apply(node: Node, column: string, ctx: Ctx): void {
  if (node.row.includes(column)) return;
  node.row = including(node.row, column);
  void ctx.disk.write(column, true);
}

/** The names of this many replicas; the peers of a replica are as many, with the client and without itself. */
export const quorum = (replicas: number): number => Math.floor(replicas / 2) + 1;

/** A slice: of all columns the newest. */
export const newest = (columns: readonly string[]): string[] => columns.slice(-1);

/** Sorted, so that the order of arrival makes no difference. */
export const including = (columns: readonly string[], column: string): string[] =>
  [...new Set([...columns, column])].sort();
