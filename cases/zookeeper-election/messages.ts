import type { Vote } from './vote.ts';

export type Role = 'looking' | 'following' | 'leading' | 'observing';

export type Message = Notification | Follow | Refuse | NewLeader | Ack | Down;

/** The sender's vote, and its round: to all servers while it is looking, to those that ask when it is not. */
export interface Notification {
  readonly type: 'vote';
  readonly role: Role;
  readonly round: number;
  readonly vote: Vote;
  /** The sender has just come back, and has missed what was said before. */
  readonly again: boolean;
}

/** A follower connects to its leader, and says which epoch it is in. */
export interface Follow {
  readonly type: 'follow';
  readonly round: number;
  readonly epoch: number;
}

/** The receiver of the request does not lead in that round, or its epoch is behind that of the follower. */
export interface Refuse {
  readonly type: 'refuse';
  readonly round: number;
}

/** The leader's new epoch. */
export interface NewLeader {
  readonly type: 'newLeader';
  readonly round: number;
  readonly epoch: number;
}

/** The follower has that epoch on disk. */
export interface Ack {
  readonly type: 'ack';
  readonly epoch: number;
}

/** The connection to the sender is closed: it has crashed. */
interface Down {
  readonly type: 'down';
}
