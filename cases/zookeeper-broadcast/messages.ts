import type { Sync, Transaction, Zxid } from './history.ts';

/** What a server stands for in an election: the epoch it has joined last, and the last transaction it has logged. */
export interface Vote {
  readonly epoch: number;
  readonly last: Zxid;
}

/** What servers say to each other, and what they hear from outside. */
export type Message =
  // From a client, to a server that may lead.
  | { type: 'REQUEST'; value: string }
  // From a server that looks for a leader; `boot`: it has just started, and has heard from no server.
  | { type: 'VOTE'; vote: Vote; boot: boolean }
  // From a leader to a voter: the votes that it counted, and how to get its history.
  | { type: 'NEWLEADER'; epoch: number; votes: Votes; sync: Sync }
  // All up to this number is on the sender's disk.
  | { type: 'ACK'; zxid: Zxid }
  // All up to this number is committed; UPTODATE says it for the first time in an epoch.
  | { type: 'UPTODATE'; zxid: Zxid }
  | { type: 'PROPOSAL'; transaction: Transaction }
  | { type: 'COMMIT'; zxid: Zxid }
  // The connection is closed: the sender has crashed, or no longer leads.
  | { type: 'down' };

export type Of<T extends Message['type']> = Extract<Message, { type: T }>;

/** By server; null without a value. */
export type Votes = Record<string, Vote | null>;
