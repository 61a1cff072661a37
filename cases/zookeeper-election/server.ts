import { behavior, type Behavior } from 'culprit';
import type { Bug } from './bugs.ts';
import { beRefused, haveEpoch, isFollowing, takeEpoch, tellLeader } from './following.ts';
import { hearVote, loseFollower, takeAck, takeFollower } from './leading.ts';
import { compareVote, hearSettled, settle } from './looking.ts';
import type { Message, Notification } from './messages.ts';
import { broadcast, withName, withoutName, type Ctx, type Peer } from './peer.ts';
import { lookAgain, waitIfDecided } from './round.ts';

/** A server that votes. With a leader from the start, `elected`, no message is needed before a crash. */
export const server = (bug: Bug, elected: string): Behavior<Peer, Message, 'settle'> =>
  behavior({
    start: (ctx) => (elected === '' || ctx.restarts > 0 ? startLooking(ctx, bug) : startSettled(ctx, elected)),
    receive(peer, message, ctx) {
      if (message.type === 'vote') receiveVote(peer, message, ctx, bug);
      else if (message.type === 'follow') takeFollower(peer, message, ctx, bug);
      else if (message.type === 'refuse') beRefused(peer, message, ctx, bug);
      else if (message.type === 'newLeader') takeEpoch(peer, message, ctx);
      else if (message.type === 'ack') takeAck(peer, message, ctx);
      else lose(peer, ctx.from, ctx, bug);
    },
    returned: (peer, message, to, ctx) => beAlone(peer, message, to, ctx, bug),
    timer: (peer, _timer, ctx) => settle(peer, ctx, bug),
    wrote: (peer, _key, ctx) => haveEpoch(peer, ctx),
  });

function newPeer(ctx: Ctx): Peer {
  const epoch = (ctx.disk.peek('epoch') ?? 0) as number;
  const vote = { epoch, zxid: 0, leader: ctx.self };
  return {
    role: 'looking',
    round: 1,
    epoch,
    zxid: 0,
    vote,
    agree: [ctx.self],
    settled: {},
    early: [],
    heard: [],
    newEpoch: 0,
    gone: [],
  };
}

function startLooking(ctx: Ctx, bug: Bug): Peer {
  const peer = newPeer(ctx);
  broadcast(peer, ctx, bug, ctx.restarts > 0);
  return peer;
}

function startSettled(ctx: Ctx, leader: string): Peer {
  const peer = newPeer(ctx);
  const vote = { ...peer.vote, leader };
  if (leader !== ctx.self) return { ...peer, role: 'following', vote, agree: [] };
  return { ...peer, role: 'leading', agree: [ctx.self, ...ctx.peers].sort() };
}

function receiveVote(peer: Peer, message: Notification, ctx: Ctx, bug: Bug): void {
  peer.gone = withoutName(peer.gone, ctx.from);
  const isLooking = message.role === 'looking';
  if (peer.role === 'looking') (isLooking ? compareVote : hearSettled)(peer, message, ctx, bug);
  else if (peer.role === 'following' && isLooking) tellLeader(peer, message, ctx, bug);
  else if (peer.role === 'leading' && isLooking) hearVote(peer, message, ctx, bug);
  else if (peer.role === 'leading' && message.vote.leader !== ctx.self) loseFollower(peer, ctx.from, ctx, bug);
}

/** The connection to that server is closed. */
function lose(peer: Peer, name: string, ctx: Ctx, bug: Bug): void {
  peer.gone = withName(peer.gone, name);
  delete peer.settled[name];
  if (peer.role === 'leading') loseFollower(peer, name, ctx, bug);
  else if (peer.vote.leader === name) lookAgain(peer, ctx, bug);
  else if (peer.role === 'looking') forget(peer, name, ctx, bug);
}

/** There is no leader to follow. */
function beAlone(peer: Peer, message: Message, to: string, ctx: Ctx, bug: Bug): void {
  if (message.type === 'follow' && isFollowing(peer, to, message.round)) lookAgain(peer, ctx, bug);
}

function forget(peer: Peer, name: string, ctx: Ctx, bug: Bug): void {
  peer.agree = withoutName(peer.agree, name);
  peer.early = withoutName(peer.early, name);
  peer.heard = withoutName(peer.heard, name);
  waitIfDecided(peer, ctx, bug);
}
