import type { Bug } from './bugs.ts';
import type { Notification } from './messages.ts';
import { broadcast, isMajority, ownVote, settledOn, withName, type Ctx, type Peer } from './peer.ts';
import { beats, isSame, type Vote } from './vote.ts';

/** Long enough for a better vote to arrive, if the network is not slow. */
const SETTLE_MS = 200;

/** Abandons its role, and asks for votes in the next round; `again` if the others may be in it already. */
export function lookAgain(peer: Peer, ctx: Ctx, bug: Bug, again = false): void {
  enterRound(peer, { round: peer.round + 1, vote: ownVote(peer, ctx), again }, ctx, bug);
}

/** Takes part in the round of that vote: with the same vote, or with its own if that is better. */
export function joinRound(peer: Peer, { round, vote }: Notification, ctx: Ctx, bug: Bug): void {
  const own = ownVote(peer, ctx);
  const isBetter = beats(vote, own, bug) && !peer.gone.includes(vote.leader);
  // One that returns to the same round has not counted what was said while it was settled.
  enterRound(peer, { round, vote: isBetter ? vote : own, again: round === peer.round }, ctx, bug);
  countVote(peer, vote, ctx, bug);
}

/** The sender has voted in this round. */
export function countVote(peer: Peer, vote: Vote, ctx: Ctx, bug: Bug): void {
  if (bug === 'zookeeper-975') peer.heard = withName(peer.heard, ctx.from);
  if (isSame(vote, peer.vote)) peer.agree = withName(peer.agree, ctx.from);
  waitIfDecided(peer, ctx, bug);
}

/** If a majority agrees it is over, unless a better vote comes soon. */
export function waitIfDecided(peer: Peer, ctx: Ctx, bug: Bug): void {
  // zookeeper-975: it is also over once all have voted, for any candidates.
  const haveAllVoted = bug === 'zookeeper-975' && peer.heard.length === 2;
  if (haveAllVoted || isMajority(peer.agree)) ctx.setTimer('settle', SETTLE_MS);
  else ctx.cancelTimer('settle');
}

type Entry = Pick<Notification, 'round' | 'vote' | 'again'>;

function enterRound(peer: Peer, { round, vote, again }: Entry, ctx: Ctx, bug: Bug): void {
  peer.role = 'looking';
  peer.round = round;
  peer.heard = [];
  peer.newEpoch = 0;
  changeVote(peer, { vote, again }, ctx, bug);
}

/** The server itself agrees with a new vote, and so do those that have settled on it already. */
export function changeVote(peer: Peer, { vote, again }: Omit<Entry, 'round'>, ctx: Ctx, bug: Bug): void {
  ctx.cancelTimer('settle');
  peer.vote = vote;
  peer.early = [];
  peer.agree = [ctx.self, ...settledOn(peer, vote.leader, peer.round)].sort();
  broadcast(peer, ctx, bug, again);
}

/** Forgets data that matters only in an election. */
export function stopLooking(peer: Peer, ctx: Ctx): void {
  ctx.cancelTimer('settle');
  peer.settled = {};
  peer.early = [];
  peer.heard = [];
}
