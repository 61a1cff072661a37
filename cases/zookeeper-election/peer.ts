import type { Context } from 'culprit';
import type { Bug } from './bugs.ts';
import type { Message, Notification, Role } from './messages.ts';
import type { Vote } from './vote.ts';

/** What a server knows. Lists are sorted. */
export interface Peer {
  role: Role;
  /** The round of elections that it takes part in, or that it was settled in. */
  round: number;
  /** The last epoch that it has taken; on disk as well, where it got it from a leader. */
  epoch: number;
  /** Its last transaction. */
  zxid: number;
  vote: Vote;
  /** Who agrees with that vote in this round, itself included; for a leader, who follows it or is about to. */
  agree: string[];
  /** While looking: what those say who are not. */
  settled: Record<string, Settled>;
  /** While looking: who has connected as a follower already. */
  early: string[];
  /** While looking, where that matters: whose vote of this round has arrived. */
  heard: string[];
  /** While leading: the epoch that it asks its followers to take. */
  newEpoch: number;
  /** To whom there is no connection. */
  gone: string[];
}

interface Settled {
  readonly role: Role;
  readonly leader: string;
  readonly round: number;
}

/** What a server uses of its context. */
export type Ctx = Pick<
  Context<Message, 'settle'>,
  'self' | 'from' | 'peers' | 'send' | 'disk' | 'restarts' | 'setTimer' | 'cancelTimer'
>;

/** How many servers vote. */
const VOTERS = 3;

export const isObserver = (name: string): boolean => name.startsWith('observer');

export const isMajority = (names: readonly string[]): boolean =>
  names.filter((name) => !isObserver(name)).length * 2 > VOTERS;

export const ownVote = ({ epoch, zxid }: Peer, ctx: Ctx): Vote => ({ epoch, zxid, leader: ctx.self });

export const withName = (names: readonly string[], name: string): string[] => [...new Set([...names, name])].sort();

export const withoutName = (names: readonly string[], name: string): string[] =>
  names.filter((other) => other !== name);

/** Who says that it has settled on that leader, in that round. */
export const settledOn = ({ settled }: Peer, leader: string, round: number): string[] =>
  Object.keys(settled).filter((name) => settled[name]?.leader === leader && settled[name].round === round);

export const notification = ({ role, round, vote }: Peer, again = false): Notification => ({
  type: 'vote',
  role,
  round,
  vote,
  again,
});

export function broadcast(peer: Peer, ctx: Ctx, bug: Bug, again = false): void {
  for (const name of ctx.peers) {
    // zookeeper-975: what is said to a server that is down waits for it in a queue.
    const isConnected = bug === 'zookeeper-975' || !peer.gone.includes(name);
    if (isConnected && !isObserver(name)) ctx.send(name, notification(peer, again));
  }
}
