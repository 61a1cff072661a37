import { mustAnswer } from './answer.ts';
import type { Bug } from './bugs.ts';
import type { NewLeader, Notification, Refuse } from './messages.ts';
import { notification, type Ctx, type Peer } from './peer.ts';
import { joinRound, lookAgain } from './round.ts';

export const isFollowing = ({ role, round, vote }: Peer, leader: string, inRound: number): boolean =>
  role === 'following' && vote.leader === leader && round === inRound;

/** A vote of somebody who looks. If it is the leader, it has given up; or this is what it said before it led. */
export function tellLeader(peer: Peer, message: Notification, ctx: Ctx, bug: Bug): void {
  if (!mustAnswer(peer, message, bug)) return;
  if (ctx.from === peer.vote.leader) joinRound(peer, message, ctx, bug);
  else ctx.send(ctx.from, notification(peer));
}

/** Messages of others since it settled are lost to it. */
export function beRefused(peer: Peer, { round }: Refuse, ctx: Ctx, bug: Bug): void {
  if (isFollowing(peer, ctx.from, round)) lookAgain(peer, ctx, bug, true);
}

export function takeEpoch(peer: Peer, { round, epoch }: NewLeader, ctx: Ctx): void {
  if (!isFollowing(peer, ctx.from, round)) return;
  if (epoch === peer.epoch) ctx.send(ctx.from, { type: 'ack', epoch });
  else ctx.disk.write('epoch', epoch);
}

/** An epoch is on disk. A leader has taken its own before. */
export function haveEpoch(peer: Peer, ctx: Ctx): void {
  peer.epoch = Math.max(peer.epoch, ctx.disk.peek('epoch') as number);
  if (peer.role === 'following') ctx.send(peer.vote.leader, { type: 'ack', epoch: peer.epoch });
}
