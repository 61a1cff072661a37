import type { Bug } from './bugs.ts';
import type { Ack, Follow, Notification } from './messages.ts';
import { isMajority, isObserver, notification, withName, withoutName, type Ctx, type Peer } from './peer.ts';
import { joinRound, lookAgain, stopLooking } from './round.ts';
import { isSame } from './vote.ts';
import { mustAnswer } from './answer.ts';

/** Wins the election. The new epoch counts once another server has it on disk: then a majority has. */
export function lead(peer: Peer, ctx: Ctx, bug: Bug): void {
  const { early } = peer;
  stopLooking(peer, ctx);
  peer.role = 'leading';
  peer.newEpoch = peer.epoch + 1;
  // zookeeper-790: the new epoch counts at once, and stays without followers.
  if (bug === 'zookeeper-790') peer.epoch = peer.newEpoch;
  for (const name of early) welcome(peer, name, ctx);
  for (const name of ctx.peers) if (isObserver(name)) ctx.send(name, notification(peer));
}

function welcome(peer: Peer, name: string, ctx: Ctx): void {
  peer.agree = withName(peer.agree, name);
  if (!isObserver(name)) ctx.send(name, { type: 'newLeader', round: peer.round, epoch: peer.newEpoch });
}

/** A server connects. A leader that is still waiting lets it wait as well. */
export function takeFollower(peer: Peer, { round, epoch }: Follow, ctx: Ctx, bug: Bug): void {
  const isElsewhere = peer.round !== round || peer.vote.leader !== ctx.self;
  if (isElsewhere) return ctx.send(ctx.from, { type: 'refuse', round });
  const isBehind = epoch > (peer.role === 'leading' ? peer.newEpoch : peer.epoch + 1);
  if (isBehind) ctx.send(ctx.from, { type: 'refuse', round });
  else if (peer.role === 'leading') welcome(peer, ctx.from, ctx);
  else peer.early = withName(peer.early, ctx.from);
  if (isBehind && peer.role === 'leading') loseFollower(peer, ctx.from, ctx, bug);
}

export function takeAck(peer: Peer, { epoch }: Ack, ctx: Ctx): void {
  if (peer.role !== 'leading' || epoch !== peer.newEpoch || ctx.disk.peek('epoch') === epoch) return;
  peer.epoch = epoch;
  ctx.disk.write('epoch', epoch);
}

/** A vote of somebody who looks: one that agrees after all, one that has just come, or one that no longer follows. */
export function hearVote(peer: Peer, message: Notification, ctx: Ctx, bug: Bug): void {
  if (message.round === peer.round && isSame(message.vote, peer.vote)) {
    peer.agree = withName(peer.agree, ctx.from);
  } else if (mustAnswer(peer, message, bug)) peer.agree = withoutName(peer.agree, ctx.from);
  if (!mustAnswer(peer, message, bug)) return;
  if (isMajority(peer.agree)) ctx.send(ctx.from, notification(peer));
  else joinRound(peer, message, ctx, bug);
}

/** The connection to it is closed, or it cannot follow. */
export function loseFollower(peer: Peer, name: string, ctx: Ctx, bug: Bug): void {
  peer.agree = withoutName(peer.agree, name);
  // zookeeper-1075: a leader continues without followers.
  if (isMajority(peer.agree) || bug === 'zookeeper-1075') return;
  // zookeeper-1492: an observer has no vote, but counts here.
  if (bug !== 'zookeeper-1492' || peer.agree.length < 2) lookAgain(peer, ctx, bug);
}
