import type { Bug } from './bugs.ts';
import { CLIENT } from './messages.ts';
import { apply, including, newest, quorum, type Ctx, type Node } from './node.ts';

/** The part of a node that serves clients. */

export function write(node: Node, column: string, ctx: Ctx): void {
  node.acks[column] = 0;
  apply(node, column, ctx);
  for (const replica of others(ctx)) ctx.send(replica, { type: 'mutation', column });
}

const others = (ctx: Ctx): string[] => ctx.peers.filter((name) => name !== CLIENT);

/** The replica could not be reached. */
export function keepHint({ hints }: Node, replica: string, column: string): void {
  hints[replica] = including(hints[replica] ?? [], column);
}

/** An acknowledgement of a mutation or of a hint; each replica sends only one. Unexpected ones are not counted. */
export function acknowledge(node: Node, column: string, replica: string, ctx: Ctx): void {
  forgetHint(node, replica, column);
  const before = node.acks[column];
  if (before === undefined) return;
  node.acks[column] = before + 1;
  if (before + 1 < quorum(ctx.peers.length)) return;
  delete node.acks[column];
  ctx.send(CLIENT, { type: 'written', column });
}

function forgetHint({ hints }: Node, replica: string, column: string): void {
  const left = (hints[replica] ?? []).filter((other) => other !== column);
  if (left.length > 0) hints[replica] = left;
  else delete hints[replica];
}

export function read(node: Node, ctx: Ctx): void {
  node.slices = { [ctx.self]: newest(node.row) };
  for (const replica of others(ctx)) ctx.send(replica, { type: 'slice' });
}

/** The first replies that are a quorum decide. Each has one column, but not all have the same one. */
export function merge(node: Node, columns: string[], ctx: Ctx, bug: Bug): void {
  if (node.slices === null) return;
  node.slices[ctx.from] = columns;
  const slices = Object.values(node.slices);
  if (slices.length < quorum(ctx.peers.length)) return;
  const merged = [...new Set(slices.flat())].sort();
  node.slices = null;
  ctx.send(CLIENT, { type: 'result', columns: bug === 'cassandra-3395' ? merged : newest(merged) });
}

/** The read is repeated at once, but hints take their time. */
export function up(node: Node, replica: string, ctx: Ctx): void {
  if (node.hints[replica] !== undefined) ctx.setTimer(replica, 0);
}

export function handOff(node: Node, replica: string, ctx: Ctx): void {
  for (const column of node.hints[replica] ?? []) ctx.send(replica, { type: 'mutation', column });
}
