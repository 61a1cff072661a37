import type { Bug } from './bugs.ts';
import { lead } from './leading.ts';
import type { Notification } from './messages.ts';
import { isMajority, notification, settledOn, withName, withoutName, type Ctx, type Peer } from './peer.ts';
import { changeVote, countVote, joinRound, stopLooking, waitIfDecided } from './round.ts';
import { beats, isSame, type Vote } from './vote.ts';

/** A vote of another that is looking. */
export function compareVote(peer: Peer, message: Notification, ctx: Ctx, bug: Bug): void {
  // One that was settled when it got this server's vote has not counted it.
  const hasMissed = message.again || ctx.from in peer.settled;
  const before = peer.vote;
  delete peer.settled[ctx.from];
  peer.early = withoutName(peer.early, ctx.from);
  if (message.round > peer.round) return joinRound(peer, message, ctx, bug);
  if (message.round === peer.round) weigh(peer, message.vote, ctx, bug);
  if (hasMissed && isSame(before, peer.vote)) ctx.send(ctx.from, notification(peer));
}

/** A vote for a server to which there is no connection cannot count; that server will say so itself if it is there. */
function weigh(peer: Peer, vote: Vote, ctx: Ctx, bug: Bug): void {
  peer.agree = withoutName(peer.agree, ctx.from);
  const isPossible = !peer.gone.includes(vote.leader);
  if (isPossible && beats(vote, peer.vote, bug)) changeVote(peer, { vote, again: false }, ctx, bug);
  countVote(peer, vote, ctx, bug);
}

/** What one says that is not looking. Where its leader and a majority say the same, there is nothing left to vote about. */
export function hearSettled(peer: Peer, { role, round, vote }: Notification, ctx: Ctx, bug: Bug): void {
  const isAgreed = round === peer.round && isSame(vote, peer.vote);
  peer.settled[ctx.from] = { role, leader: vote.leader, round };
  if (isAgreed || peer.agree.includes(ctx.from)) {
    peer.agree = (isAgreed ? withName : withoutName)(peer.agree, ctx.from);
    waitIfDecided(peer, ctx, bug);
  }
  if (isAgreed) return;
  peer.early = withoutName(peer.early, ctx.from);
  const same = settledOn(peer, vote.leader, round);
  if (!isMajority(same) || !same.some((name) => peer.settled[name]?.role === 'leading')) return;
  follow({ round, vote }, peer, ctx);
}

/** No better vote has come. */
export function settle(peer: Peer, ctx: Ctx, bug: Bug): void {
  if (peer.vote.leader === ctx.self) lead(peer, ctx, bug);
  else follow(peer, peer, ctx);
}

function follow({ round, vote }: Pick<Peer, 'round' | 'vote'>, peer: Peer, ctx: Ctx): void {
  stopLooking(peer, ctx);
  peer.role = 'following';
  peer.round = round;
  peer.vote = vote;
  peer.agree = [];
  ctx.send(vote.leader, { type: 'follow', round, epoch: peer.epoch });
}
