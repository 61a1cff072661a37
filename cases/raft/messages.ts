import type { Entry } from './log.ts';

/** What nodes say to each other, to themselves, and what they hear from outside. */
export type Message =
  // From outside: who belongs to the cluster, and a command for the replicated state machine.
  | { type: 'ChangeConfiguration'; members: string[] }
  | { type: 'ClientMessage'; command: string }
  // Elections. The candidate is named because a node forwards the request to itself.
  | { type: 'RequestVote'; term: number; candidate: string; lastTerm: number; lastIndex: number }
  | { type: 'VoteCandidate'; term: number }
  | { type: 'DeclineCandidate'; term: number }
  // From a node to itself: work that it leaves for a later step.
  | { type: 'BeginElection' }
  | { type: 'ElectedAsLeader' }
  // Replication. `lastIndex` is the last entry that is known to be the leader's.
  | {
      type: 'AppendEntries';
      term: number;
      prevTerm: number;
      prevIndex: number;
      entries: Entry[];
      leaderCommit: number;
    }
  | { type: 'AppendSuccessful'; term: number; lastIndex: number }
  | { type: 'AppendRejected'; term: number };

export type Of<T extends Message['type']> = Extract<Message, { type: T }>;

/** A follower waits for its leader, a candidate for votes; a leader reminds everybody of itself. */
export type Timer = 'election' | 'candidacy' | 'heartbeat';
