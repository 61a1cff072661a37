import type { Bug } from './bugs.ts';
import type { Notification } from './messages.ts';
import { broadcast, isMajority, ownVote, settledOn, withName, type Ctx, type Peer } from './peer.ts';
import { beats, isSame, type Vote } from './vote.ts';

/** Long enough for a better vote to arrive, if the network is not slow. */
const SETTLE_MS = 200;

/** Gives up whatever it did, and asks for votes in the next round; `again` where the others may be in it already. */
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

/** Where a majority agrees it is over, unless a better vote comes soon. */
export function waitIfDecided(peer: Peer, ctx: Ctx, bug: Bug): void {
  // zookeeper-975: where everybody has voted it is over as well, whatever they have voted for.
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

/** Itself agrees with what is new, and whoever has settled on it already. */
export function changeVote(peer: Peer, { vote, again }: Omit<Entry, 'round'>, ctx: Ctx, bug: Bug): void {
  ctx.cancelTimer('settle');
  peer.vote = vote;
  peer.early = [];
  peer.agree = [ctx.self, ...settledOn(peer, vote.leader, peer.round)].sort();
  broadcast(peer, ctx, bug, again);
}

/** Forgets what matters only in an election. */
export function stopLooking(peer: Peer, ctx: Ctx): void {
  ctx.cancelTimer('settle');
  peer.settled = {};
  peer.early = [];
  peer.heard = [];
}
