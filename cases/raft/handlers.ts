import { behavior, type Behavior } from 'culprit';
import type { Bug } from './bugs.ts';
import { beginElection, requestVote, timedOut, voteCandidate } from './election.ts';
import type { Message, Timer } from './messages.ts';
import { follow, newNode, type Ctx, type RaftNode } from './node.ts';
import {
  appendEntries,
  appendRejected,
  appendSuccessful,
  clientMessage,
  electedAsLeader,
  replicate,
} from './replication.ts';

/** A node of the cluster: who handles what. */
export const raftNode = (bug: Bug): Behavior<RaftNode, Message, Timer> =>
  behavior({
    start: () => newNode(bug),
    receive: (node, message, ctx) => receive(node, message, ctx, bug),
    timer: fire,
  });

export function fire(node: RaftNode, timer: Timer, ctx: Ctx): void {
  if (timer === 'heartbeat') replicate(node, ctx);
  else timedOut(node, ctx);
}

export function receive(node: RaftNode, message: Message, ctx: Ctx, bug: Bug): void {
  if (message.type === 'ChangeConfiguration') return join(node, message.members, ctx);
  if (node.role === 'Init') return;
  switch (message.type) {
    case 'ClientMessage':
      return clientMessage(node, message, ctx);
    case 'BeginElection':
      return beginElection(node, ctx, bug);
    case 'ElectedAsLeader':
      return electedAsLeader(node, ctx, bug);
    case 'RequestVote':
      return requestVote(node, message, ctx);
    case 'AppendEntries':
      return appendEntries(node, message, ctx, bug);
    default:
      return receiveAnswer(node, message, ctx, bug);
  }
}

/** An answer from a later term says that this node's own requests are out of date. */
function receiveAnswer(node: RaftNode, message: Answer, ctx: Ctx, bug: Bug): void {
  if (message.term > node.term) return follow(node, message.term, ctx);
  switch (message.type) {
    case 'VoteCandidate':
      return voteCandidate(node, message, ctx, bug);
    case 'DeclineCandidate':
      return;
    case 'AppendSuccessful':
      return appendSuccessful(node, message, ctx, bug);
    case 'AppendRejected':
      return appendRejected(node, message, ctx);
  }
}

type Answer = Extract<Message, { type: 'VoteCandidate' | 'DeclineCandidate' | 'AppendSuccessful' | 'AppendRejected' }>;

/** A node does nothing until it knows the members of the cluster. */
function join(node: RaftNode, members: string[], ctx: Ctx): void {
  if (node.role !== 'Init') return;
  node.members = members;
  follow(node, node.term, ctx);
}
