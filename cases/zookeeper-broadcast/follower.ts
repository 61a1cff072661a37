import type { Bug } from './bugs.ts';
import { durableZxid, store } from './disk.ts';
import { compareVotes } from './election.ts';
import { synced, upTo } from './history.ts';
import type { Of, Vote } from './messages.ts';
import { ownVote, perPeer, type Ctx, type Server } from './server.ts';

/**
 * Follows the leader that has counted the vote that this server would give now: the server may have moved on since an
 * earlier vote. A server that the leader takes to be gone must be gone for this server, too: its earlier messages come
 * first.
 */
export function hearLeader(server: Server, message: Of<'NEWLEADER'>, ctx: Ctx, bug: Bug, from = ctx.from): void {
  if (server.role !== 'looking' || !isSame(ownVote(server), message.votes[ctx.self])) return;
  const uncounted = ctx.peers.filter((peer) => message.votes[peer] === null);
  if (uncounted.every((peer) => server.gone[peer] === true)) follow(server, message, from, ctx, bug);
  else server.offer = { from, message };
}

/** A server is gone: perhaps only that kept this server from following. */
export function reconsider(server: Server, ctx: Ctx, bug: Bug): void {
  if (server.offer !== null) hearLeader(server, server.offer.message, ctx, bug, server.offer.from);
}

function follow(server: Server, { epoch, votes, sync }: Of<'NEWLEADER'>, leader: string, ctx: Ctx, bug: Bug): void {
  server.role = 'following';
  server.leader = leader;
  server.offer = null;
  // Counted votes have had their effect. Others are newer: their senders know already that this leader is gone.
  server.votes = perPeer(ctx, (peer) => {
    const heard = server.votes[peer] ?? null;
    return heard === null || peer === leader || isSame(heard.vote, votes[peer]) ? null : heard;
  });
  server.log = synced(server.log, sync);
  if (bug !== 'zookeeper-335') server.epoch = epoch;
  else if (sync.kind === 'DIFF' && sync.transactions.length === 0) return acknowledge(leader, ctx);
  store(server, ctx);
}

const isSame = (one: Vote, other: Vote | null | undefined): boolean =>
  other !== null && other !== undefined && compareVotes(one, other) === 0;

export function hearProposal(server: Server, { transaction }: Of<'PROPOSAL'>, ctx: Ctx): void {
  server.log.push(transaction);
  store(server, ctx);
}

/** Proposals to a server that does not follow yet wait with its other messages. */
export function addToOffer({ offer }: Server, { transaction }: Of<'PROPOSAL'>, ctx: Ctx): void {
  if (offer?.from === ctx.from) offer.message.sync.transactions.push(transaction);
}

export function hearCommitted(server: Server, { zxid }: Of<'UPTODATE' | 'COMMIT'>): void {
  server.data = upTo(server.log, zxid);
}

/** All that is on its disk by now. */
export function acknowledge(leader: string, ctx: Ctx): void {
  ctx.send(leader, { type: 'ACK', zxid: durableZxid(ctx) });
}
