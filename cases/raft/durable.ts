import type { Behavior, Context } from 'culprit';
import type { Bug } from './bugs.ts';
import type { Message, Timer } from './messages.ts';
import { follow, newNode, type Ctx, type RaftNode } from './node.ts';
import { fire, receive } from './handlers.ts';

/**
 * A node that survives crashes. It writes its state to disk before it sends messages: until then it holds them back,
 * and handles nothing else.
 */
export const durableNode = (bug: Bug): Behavior<RaftNode, Message, Timer> => ({
  blocking: true,
  start(ctx) {
    const node = Object.assign(newNode(bug), ctx.disk.peek(KEY));
    if (node.members.length > 0) follow(node, node.term, ctx);
    return node;
  },
  receive: (node, message, ctx) => writeThenSend(node, ctx, (held) => receive(node, message, held, bug)),
  timer: (node, timer, ctx) => writeThenSend(node, ctx, (held) => fire(node, timer, held)),
});

const KEY = 'node';

async function writeThenSend(node: RaftNode, ctx: Context<Message, Timer>, handle: (held: Ctx) => void): Promise<void> {
  const before = JSON.stringify(durablePart(node));
  const outbox: [to: string, message: Message][] = [];
  handle(holding(ctx, outbox));
  if (JSON.stringify(durablePart(node)) !== before) await ctx.disk.write(KEY, durablePart(node));
  for (const [to, message] of outbox) ctx.send(to, message);
}

/** What a node must not forget; and what it has been, for the invariants. */
const durablePart = ({ members, term, votedFor, log, ledTerms }: RaftNode): Partial<RaftNode> => ({
  members,
  term,
  votedFor,
  log,
  ledTerms,
});

const holding = (ctx: Context<Message, Timer>, outbox: [string, Message][]): Ctx => ({
  self: ctx.self,
  from: ctx.from,
  random: ctx.random,
  send: (to, message) => void outbox.push([to, message]),
  setTimer: (timer, afterMs) => ctx.setTimer(timer, afterMs),
  repeatTimer: (timer, everyMs) => ctx.repeatTimer(timer, everyMs),
  cancelTimer: (timer) => ctx.cancelTimer(timer),
});
