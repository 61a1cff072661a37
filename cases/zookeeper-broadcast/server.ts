import type { Context } from 'culprit';
import { lastZxid, type History, type Zxid } from './history.ts';
import type { Message, Of, Vote } from './messages.ts';

/** The state of a server. */
export interface Server {
  /** `closing`: it has lost its leader, or its followers, and looks for a leader when its disk is done. */
  role: 'closing' | 'looking' | 'following' | 'leading';
  /** The epoch that this server has joined last. */
  epoch: number;
  /** Logged, or about to be. */
  log: History;
  /** Committed, and visible to clients. */
  data: History;
  /** Whom it follows. */
  leader: string | null;
  /** By peer: the vote that it has sent last, where it may still be good. */
  votes: Record<string, Heard | null>;
  /** By peer: whether it is known to be gone. */
  gone: Record<string, boolean>;
  /** Who would lead this server, but counts on somebody being gone of whom it may still hear. */
  offer: { readonly from: string; readonly message: Of<'NEWLEADER'> } | null;
  /** Of a leader. */
  leads: Leadership | null;
}

interface Heard {
  readonly vote: Vote;
  /** The peer had just started when it voted, and may not have heard from this server. */
  boot: boolean;
}

export interface Leadership {
  readonly epoch: number;
  /** By peer; null where it does not follow. */
  readonly followers: Record<string, Follower | null>;
  /** A quorum has joined the epoch: there may be proposals. */
  established: boolean;
}

export interface Follower {
  /** All up to this is known to be on its disk; null until it has joined. */
  acked: Zxid | null;
  upToDate: boolean;
}

export type Ctx = Context<Message>;

export const majorityOf = (servers: number): number => Math.floor(servers / 2) + 1;

export const quorum = (ctx: Ctx): number => majorityOf(ctx.peers.length + 1);

/** A value for each peer. */
export const perPeer = <T>(ctx: Ctx, value: (peer: string) => T): Record<string, T> =>
  Object.fromEntries(ctx.peers.map((peer) => [peer, value(peer)]));

export const ownVote = ({ epoch, log }: Server): Vote => ({ epoch, last: lastZxid(log) });
