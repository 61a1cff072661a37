import { behavior, type Behavior } from 'culprit';
import type { Bug } from './bugs.ts';
import { isStored, load } from './disk.ts';
import { askOnceSettled, hearVote, isElected, look, tell, voteReturned } from './election.ts';
import { acknowledge, addToOffer, hearCommitted, hearLeader, hearProposal, reconsider } from './follower.ts';
import { advance, hearAck, hearLooking, lead, loseFollower, propose } from './leader.ts';
import type { Message } from './messages.ts';
import { perPeer, type Ctx, type Leadership, type Server } from './server.ts';

/** A server of the ensemble: who handles what. */
export const zookeeperServer = (bug: Bug): Behavior<Server, Message> =>
  behavior({
    start: (ctx) => start(ctx, bug),
    receive(server, message, ctx) {
      receive(server, message, ctx, bug);
      if (isElected(server, ctx)) lead(server, ctx, bug);
    },
    returned(server, message, to, ctx) {
      if (message.type === 'VOTE') voteReturned(server, to, ctx);
      reconsider(server, ctx, bug);
      if (isElected(server, ctx)) lead(server, ctx, bug);
    },
    wrote(server, key, ctx) {
      if (!isStored(key, ctx, bug)) return;
      if (server.leader !== null) acknowledge(server.leader, ctx);
      if (server.leads !== null) advance(server, server.leads, ctx, bug);
      askOnceSettled(server, ctx, bug);
      if (isElected(server, ctx)) lead(server, ctx, bug);
    },
  });

function start(ctx: Ctx, bug: Bug): Server {
  const server: Server = {
    role: 'looking',
    ...load(ctx, bug),
    data: [],
    leader: null,
    votes: perPeer(ctx, () => null),
    gone: perPeer(ctx, () => false),
    offer: null,
    leads: null,
  };
  // When the ensemble starts, all logs are empty and names decide: a server need not tell those that it beats.
  const isReboot = ctx.restarts > 0;
  for (const peer of ctx.peers) if (isReboot || peer > ctx.self) tell(server, peer, ctx, isReboot);
  return server;
}

function receive(server: Server, message: Message, ctx: Ctx, bug: Bug): void {
  if (server.leads !== null) return receiveAsLeader(server, server.leads, message, ctx, bug);
  switch (message.type) {
    case 'VOTE':
      return hearVote(server, message, ctx);
    case 'NEWLEADER':
      return hearLeader(server, message, ctx, bug);
    case 'down':
      return leave(server, ctx, bug);
    default:
      if (server.leader === ctx.from) receiveAsFollower(server, message, ctx);
      else if (message.type === 'PROPOSAL') addToOffer(server, message, ctx);
  }
}

function receiveAsLeader(server: Server, leads: Leadership, message: Message, ctx: Ctx, bug: Bug): void {
  switch (message.type) {
    case 'REQUEST':
      return propose(server, leads, message.value, ctx);
    case 'VOTE':
      return hearLooking(server, leads, message, ctx, bug);
    case 'ACK':
      return hearAck(server, leads, message, ctx, bug);
    case 'down':
      server.gone[ctx.from] = true;
      return loseFollower(server, leads, ctx, bug);
    default:
  }
}

function receiveAsFollower(server: Server, message: Message, ctx: Ctx): void {
  switch (message.type) {
    case 'PROPOSAL':
      return hearProposal(server, message, ctx);
    case 'UPTODATE':
    case 'COMMIT':
      return hearCommitted(server, message);
    default:
  }
}

function leave(server: Server, ctx: Ctx, bug: Bug): void {
  server.gone[ctx.from] = true;
  server.votes[ctx.from] = null;
  if (server.leader === ctx.from) look(server, ctx, bug);
  if (server.offer?.from === ctx.from) server.offer = null;
  reconsider(server, ctx, bug);
}
