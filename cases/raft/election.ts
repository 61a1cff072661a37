import type { Bug } from './bugs.ts';
import { lastIndex, lastTerm } from './log.ts';
import type { Of } from './messages.ts';
import { follow, isMajority, others, timeoutMs, type Ctx, type RaftNode } from './node.ts';
import { forgetFollowers } from './replication.ts';

/** The leader is silent, or the election was not won: a new term begins at once, its election in a step of its own. */
export function timedOut(node: RaftNode, ctx: Ctx): void {
  node.role = 'Candidate';
  node.term += 1;
  node.votedFor = null;
  node.votes = [];
  ctx.setTimer('candidacy', timeoutMs(ctx));
  ctx.send(ctx.self, { type: 'BeginElection' });
}

/** May come twice in one term, when the candidate timed out again before it began. Then everybody is asked again. */
export function beginElection(node: RaftNode, ctx: Ctx, bug: Bug): void {
  if (node.role !== 'Candidate') return;
  const { term, log } = node;
  for (const to of others(node, ctx)) {
    ctx.send(to, {
      type: 'RequestVote',
      term,
      candidate: ctx.self,
      lastTerm: lastTerm(log),
      lastIndex: lastIndex(log),
    });
  }
  // Until now it had a vote to give, and may have given it to another candidate.
  if (node.votedFor !== null) return;
  node.votedFor = ctx.self;
  countVote(node, ctx.self, ctx, bug);
}

export function requestVote(node: RaftNode, message: Of<'RequestVote'>, ctx: Ctx): void {
  if (message.term > node.term) {
    follow(node, message.term, ctx);
    ctx.send(ctx.self, message);
  } else if (deservesVote(node, message)) {
    node.votedFor = message.candidate;
    if (node.role === 'Follower') ctx.setTimer('election', timeoutMs(ctx));
    ctx.send(message.candidate, { type: 'VoteCandidate', term: node.term });
  } else {
    ctx.send(message.candidate, { type: 'DeclineCandidate', term: node.term });
  }
}

/** One vote in each term, and none for a candidate that may lack what is committed; it may be given to the same again. */
function deservesVote({ term, votedFor, log }: RaftNode, request: Of<'RequestVote'>): boolean {
  const upToDate =
    request.lastTerm > lastTerm(log) || (request.lastTerm === lastTerm(log) && request.lastIndex >= lastIndex(log));
  return request.term === term && (votedFor === null || votedFor === request.candidate) && upToDate;
}

export function voteCandidate(node: RaftNode, { term }: Of<'VoteCandidate'>, ctx: Ctx, bug: Bug): void {
  if (node.role !== 'Candidate') return;
  // raft-46: a vote of an earlier term counts as well, although its voter is free to vote for another in this one.
  if (term < node.term && bug !== 'raft-46') return;
  countVote(node, ctx.from, ctx, bug);
}

function countVote(node: RaftNode, voter: string, ctx: Ctx, bug: Bug): void {
  // raft-45: votes are counted, not voters, and a voter that is asked again votes again.
  if (node.votes.includes(voter) && bug !== 'raft-45') return;
  node.votes.push(voter);
  if (isMajority(node.votes.length, node)) lead(node, ctx, bug);
}

function lead(node: RaftNode, ctx: Ctx, bug: Bug): void {
  node.role = 'Leader';
  node.ledTerms.push(node.term);
  ctx.cancelTimer('candidacy');
  // raft-58a: what is known of followers is left as it was when this node last led, until the message below arrives.
  if (bug !== 'raft-58a') forgetFollowers(node, ctx);
  ctx.send(ctx.self, { type: 'ElectedAsLeader' });
}
