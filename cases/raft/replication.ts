import { strict as assert } from 'node:assert';
import type { Bug } from './bugs.ts';
import { append, batchFrom, before, entryAt, hasBefore, lastIndex } from './log.ts';
import type { Of } from './messages.ts';
import { applyUpTo, commitIndex, follow, others, type Ctx, type RaftNode } from './node.ts';

/** A new leader assumes that followers have all its entries, and knows of none that they do have. */
export function forgetFollowers(node: RaftNode, ctx: Ctx): void {
  node.nextIndex = Object.fromEntries(others(node, ctx).map((follower) => [follower, lastIndex(node.log) + 1]));
  node.matchIndex = {};
}

export function electedAsLeader(node: RaftNode, ctx: Ctx, bug: Bug): void {
  if (node.role !== 'Leader') return;
  if (bug === 'raft-58a') forgetFollowers(node, ctx);
  replicate(node, ctx);
  ctx.repeatTimer('heartbeat', HEARTBEAT_MS);
}

const HEARTBEAT_MS = 50;

/** Only a leader takes commands; clients of the others would have to try again. */
export function clientMessage(node: RaftNode, { command }: Of<'ClientMessage'>, ctx: Ctx): void {
  if (node.role !== 'Leader') return;
  node.log.entries.push({ index: lastIndex(node.log) + 1, term: node.term, command });
  replicate(node, ctx);
}

/** Sends each follower the entries that it may lack; an empty list is a heartbeat. */
export function replicate(node: RaftNode, ctx: Ctx): void {
  for (const follower of others(node, ctx)) sendEntries(node, follower, ctx);
}

function sendEntries(node: RaftNode, follower: string, ctx: Ctx): void {
  const { term, log } = node;
  const next = nextIndexOf(node, follower);
  assert(next <= lastIndex(log) + 1, 'the next entry for a follower lies beyond the log');
  const entries = batchFrom(log, next);
  ctx.send(follower, { type: 'AppendEntries', term, ...before(log, next), entries, leaderCommit: commitIndex(node) });
}

const nextIndexOf = ({ nextIndex, log }: RaftNode, follower: string): number => nextIndex[follower] ?? log.first;

export function appendEntries(node: RaftNode, message: Of<'AppendEntries'>, ctx: Ctx, bug: Bug): void {
  const { term, prevIndex, prevTerm, entries, leaderCommit } = message;
  if (term < node.term) return rejectStale(node, ctx);
  const wasCandidate = node.role === 'Candidate';
  follow(node, term, ctx);
  // raft-56: a candidate that steps down forgets whom it voted for in this very term, and can vote again.
  if (wasCandidate && bug === 'raft-56') node.votedFor = null;
  if (!hasBefore(node.log, prevIndex, prevTerm)) return ctx.send(ctx.from, { type: 'AppendRejected', term: node.term });
  append(node.log, entries, bug);
  const matching = entries.at(-1)?.index ?? prevIndex;
  applyUpTo(node, Math.min(leaderCommit, matching), term);
  // A heartbeat that fits needs no answer.
  if (entries.length > 0) ctx.send(ctx.from, { type: 'AppendSuccessful', term: node.term, lastIndex: matching });
}

/** From a leader whose term is over: its successor makes it a follower, any other node tells it the new term. */
function rejectStale(node: RaftNode, ctx: Ctx): void {
  if (node.role === 'Leader') sendEntries(node, ctx.from, ctx);
  else ctx.send(ctx.from, { type: 'AppendRejected', term: node.term });
}

/** The follower's log does not fit: try one entry earlier. */
export function appendRejected(node: RaftNode, { term }: Of<'AppendRejected'>, ctx: Ctx): void {
  if (node.role !== 'Leader' || term < node.term) return;
  node.nextIndex[ctx.from] = Math.max(node.log.first, nextIndexOf(node, ctx.from) - 1);
  sendEntries(node, ctx.from, ctx);
}

export function appendSuccessful(node: RaftNode, message: Of<'AppendSuccessful'>, ctx: Ctx, bug: Bug): void {
  if (node.role !== 'Leader' || message.term < node.term) return;
  const matching = Math.max(matchIndexOf(node, ctx.from), message.lastIndex);
  node.matchIndex[ctx.from] = matching;
  node.nextIndex[ctx.from] = matching + 1;
  const indices = [lastIndex(node.log), ...others(node, ctx).map((follower) => matchIndexOf(node, follower))];
  // raft-42: the index that most nodes are at is taken for one that most nodes have reached.
  const replicated = bug === 'raft-42' ? mostFrequent(indices) : reachedByMost(indices);
  // An entry of an earlier term may be on a majority and yet be overwritten: it is committed with one of this term.
  if (entryAt(node.log, replicated)?.term === node.term) applyUpTo(node, replicated, node.term);
}

const matchIndexOf = ({ matchIndex, log }: RaftNode, follower: string): number => matchIndex[follower] ?? log.first - 1;

/** The highest index that a majority has reached. */
function reachedByMost(indices: readonly number[]): number {
  const descending = indices.toSorted((a, b) => b - a);
  return descending[Math.floor(indices.length / 2)] ?? 0;
}

/** The highest of those that occur most often. */
function mostFrequent(indices: readonly number[]): number {
  const count = (index: number): number => indices.filter((other) => other === index).length;
  return indices.toSorted((a, b) => count(b) - count(a) || b - a)[0] ?? 0;
}
