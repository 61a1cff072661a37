import type { Bug } from './bugs.ts';
import { durableZxid, isSettled, store } from './disk.ts';
import { compareVotes, look } from './election.ts';
import { compareZxids, lastZxid, nextZxid, syncFrom, upTo, type Zxid } from './history.ts';
import type { Of, Vote, Votes } from './messages.ts';
import { ownVote, perPeer, quorum, type Ctx, type Follower, type Leadership, type Server } from './server.ts';

/** All others that are not gone have voted, and none has a better vote. */
export function lead(server: Server, ctx: Ctx, bug: Bug): void {
  // zookeeper-335: the epoch follows from the last transaction, and its beginning is not written down.
  const last = bug === 'zookeeper-335' ? lastZxid(server.log).epoch : server.epoch;
  const votes = perPeer(ctx, (peer) => server.votes[peer]?.vote ?? null);
  server.role = 'leading';
  server.leads = { epoch: last + 1, followers: perPeer(ctx, () => null), established: false };
  server.votes = perPeer(ctx, () => null);
  server.offer = null;
  for (const [peer, vote] of Object.entries(votes)) {
    if (vote !== null) welcome(server, server.leads, peer, vote, votes, ctx);
  }
}

function welcome(server: Server, leads: Leadership, peer: string, vote: Vote, votes: Votes, ctx: Ctx): void {
  leads.followers[peer] = { acked: null, upToDate: false };
  ctx.send(peer, { type: 'NEWLEADER', epoch: leads.epoch, votes, sync: syncFrom(vote.last, server.log) });
}

/**
 * A server looks for a leader: it has just started, or voted again because its vote was out of date when it was
 * counted.
 */
export function hearLooking(server: Server, leads: Leadership, { vote }: Of<'VOTE'>, ctx: Ctx, bug: Bug): void {
  const follower = leads.followers[ctx.from] ?? null;
  server.gone[ctx.from] = false;
  if (follower !== null && follower.acked !== null) return;
  if (hasJoined(leads) || compareVotes(vote, ownVote(server)) <= 0) {
    welcome(server, leads, ctx.from, vote, { [ctx.from]: vote }, ctx);
  } else resign(server, leads, vote, ctx, bug);
}

/** No server has joined yet, and there is a better leader. */
function resign(server: Server, leads: Leadership, vote: Vote, ctx: Ctx, bug: Bug): void {
  for (const [peer, follower] of Object.entries(leads.followers)) {
    if (follower !== null && peer !== ctx.from) ctx.send(peer, { type: 'down' });
  }
  server.votes[ctx.from] = { vote, boot: false };
  look(server, ctx, bug);
}

export function loseFollower(server: Server, leads: Leadership, ctx: Ctx, bug: Bug): void {
  leads.followers[ctx.from] = null;
  if (followersOf(leads).length + 1 < quorum(ctx)) look(server, ctx, bug);
}

/** A client wants something written. */
export function propose(server: Server, leads: Leadership, value: string, ctx: Ctx): void {
  if (!leads.established) return;
  const transaction = { ...nextZxid(server.log, leads.epoch), value };
  server.log.push(transaction);
  store(server, ctx);
  for (const [peer, follower] of Object.entries(leads.followers)) {
    if (follower !== null) ctx.send(peer, { type: 'PROPOSAL', transaction });
  }
}

export function hearAck(server: Server, leads: Leadership, { zxid }: Of<'ACK'>, ctx: Ctx, bug: Bug): void {
  const follower = leads.followers[ctx.from] ?? null;
  if (follower === null) return;
  follower.acked = zxid;
  if (!leads.established) joinOwnEpoch(server, leads, ctx, bug);
  advance(server, leads, ctx, bug);
}

/** Only now, when a quorum is certain: otherwise a leader without followers would have the best vote. */
function joinOwnEpoch(server: Server, { epoch }: Leadership, ctx: Ctx, bug: Bug): void {
  if (bug === 'zookeeper-335' || server.epoch === epoch) return;
  server.epoch = epoch;
  store(server, ctx);
}

/** An acknowledgement came, or something is on the leader's own disk: what follows from it. */
export function advance(server: Server, leads: Leadership, ctx: Ctx, bug: Bug): void {
  leads.established ||= isSettled(server, ctx, bug) && hasJoined(leads);
  if (!leads.established) return;
  const zxid = lastOnQuorum(leads, ctx) ?? lastZxid(server.data);
  const news = upTo(server.log, zxid);
  const isNews = news.length > server.data.length;
  if (isNews) server.data = news;
  for (const [peer, follower] of Object.entries(leads.followers)) {
    if (follower === null || follower.acked === null) continue;
    if (!follower.upToDate) ctx.send(peer, { type: 'UPTODATE', zxid });
    else if (isNews) ctx.send(peer, { type: 'COMMIT', zxid });
    follower.upToDate = true;
  }
}

/** What at least a quorum is known to have on its disks; undefined while too few have joined, since others crashed. */
function lastOnQuorum(leads: Leadership, ctx: Ctx): Zxid | undefined {
  const theirs = followersOf(leads).flatMap(({ acked }) => (acked === null ? [] : [acked]));
  return [durableZxid(ctx), ...theirs].sort((one, other) => compareZxids(other, one))[quorum(ctx) - 1];
}

const followersOf = ({ followers }: Leadership): Follower[] =>
  Object.values(followers).filter((follower) => follower !== null);

/** One server has it, and with the leader that is a quorum of three. */
const hasJoined = (leads: Leadership): boolean =>
  leads.established || followersOf(leads).some(({ acked }) => acked !== null);
