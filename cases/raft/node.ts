import type { Context } from 'culprit';
import type { Bug } from './bugs.ts';
import { emptyLog, type Log } from './log.ts';
import type { Message, Timer } from './messages.ts';

/** The state of a node: figure 2 of the Raft paper, and what the invariants want to know of its past. */
export interface RaftNode {
  role: 'Init' | 'Follower' | 'Candidate' | 'Leader';
  /** Everybody in the cluster, this node too. */
  members: string[];
  term: number;
  /** The candidate that this node has given its vote in this term. */
  votedFor: string | null;
  /** Who has voted for this node in this term. */
  votes: string[];
  log: Log;
  /** By follower: the next entry to send, and the last that it is known to have. */
  nextIndex: Record<string, number>;
  matchIndex: Record<string, number>;
  /** The replicated state machine: it only remembers its commands. */
  applied: Applied[];
  /** The terms that this node has been the leader of. */
  ledTerms: number[];
}

export interface Applied {
  readonly term: number;
  readonly command: string;
  /** The term in which this node learned that the entry is committed. */
  readonly committedIn: number;
}

/** What a node uses of its context. */
export type Ctx = Pick<
  Context<Message, Timer>,
  'self' | 'from' | 'random' | 'send' | 'setTimer' | 'repeatTimer' | 'cancelTimer'
>;

export const newNode = (bug: Bug): RaftNode => ({
  role: 'Init',
  members: [],
  term: 0,
  votedFor: null,
  votes: [],
  log: emptyLog(bug),
  nextIndex: {},
  matchIndex: {},
  applied: [],
  ledTerms: [],
});

export const others = (node: RaftNode, ctx: Ctx): string[] => node.members.filter((member) => member !== ctx.self);

export const isMajority = (count: number, node: RaftNode): boolean => count * 2 > node.members.length;

/** Becomes, or stays, a follower. A vote counts for its term: it is forgotten in a new term, and only then. */
export function follow(node: RaftNode, term: number, ctx: Ctx): void {
  node.role = 'Follower';
  if (term > node.term) {
    node.term = term;
    node.votedFor = null;
  }
  ctx.cancelTimer('heartbeat');
  ctx.cancelTimer('candidacy');
  ctx.setTimer('election', timeoutMs(ctx));
}

export const timeoutMs = (ctx: Ctx): number => 150 + ctx.random.below(150);

/** The state machine takes what is committed, in order, up to this index. */
export function applyUpTo({ log, applied }: RaftNode, index: number, committedIn: number): void {
  const newlyCommitted = log.entries.slice(applied.length, index - log.first + 1);
  for (const { term, command } of newlyCommitted) applied.push({ term, command, committedIn });
}

export const commitIndex = (node: RaftNode): number => node.log.first + node.applied.length - 1;
