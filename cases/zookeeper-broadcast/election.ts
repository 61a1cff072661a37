import type { Bug } from './bugs.ts';
import { isSettled } from './disk.ts';
import { compareZxids } from './history.ts';
import type { Of, Vote } from './messages.ts';
import { ownVote, quorum, type Ctx, type Server } from './server.ts';

/**
 * A minimal election: every server that is up tells all others what it has logged, and the best leads when it has heard
 * from all. A vote may be out of date when it is counted, so the voter has the last word: see `follow`.
 */
export function look(server: Server, ctx: Ctx, bug: Bug): void {
  server.role = 'closing';
  server.leader = null;
  server.leads = null;
  askOnceSettled(server, ctx, bug);
}

/** Writes that are under way count in the vote. */
export function askOnceSettled(server: Server, ctx: Ctx, bug: Bug): void {
  if (server.role !== 'closing' || !isSettled(server, ctx, bug)) return;
  server.role = 'looking';
  for (const peer of ctx.peers) if (server.gone[peer] !== true) tell(server, peer, ctx);
}

export function tell(server: Server, peer: string, ctx: Ctx, boot = false): void {
  ctx.send(peer, { type: 'VOTE', vote: ownVote(server), boot });
}

/** Servers that are not looking keep votes too: they may be the last to learn that their leader is gone. */
export function hearVote(server: Server, { vote, boot }: Of<'VOTE'>, ctx: Ctx): void {
  const wasGone = server.gone[ctx.from] === true;
  server.gone[ctx.from] = false;
  if (server.role !== 'looking' && !boot && vote.epoch < server.epoch) return;
  server.votes[ctx.from] = { vote, boot: boot && !wasGone };
  if (wasGone && server.role === 'looking') tell(server, ctx.from, ctx);
}

/** The vote did not reach its receiver. If that server has started since, it gets the vote again. */
export function voteReturned(server: Server, peer: string, ctx: Ctx): void {
  const heard = server.votes[peer] ?? null;
  if (heard === null) server.gone[peer] = true;
  if (heard === null || !heard.boot || server.role !== 'looking') return;
  heard.boot = false;
  tell(server, peer, ctx);
}

export function isElected(server: Server, ctx: Ctx): boolean {
  if (server.role !== 'looking') return false;
  const here = ctx.peers.filter((peer) => server.gone[peer] !== true);
  return here.length + 1 >= quorum(ctx) && here.every((peer) => beats(server, peer, ctx));
}

function beats(server: Server, peer: string, ctx: Ctx): boolean {
  const heard = server.votes[peer] ?? null;
  if (heard === null) return false;
  const order = compareVotes(ownVote(server), heard.vote);
  return order > 0 || (order === 0 && ctx.self > peer);
}

/** Positive where the first is better. */
export const compareVotes = (one: Vote, other: Vote): number =>
  one.epoch - other.epoch || compareZxids(one.last, other.last);
