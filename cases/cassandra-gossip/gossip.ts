import type { Behavior } from 'culprit';
import type { Bug } from './bugs.ts';
import { isNewer, type Heartbeats, type Message } from './messages.ts';
import { convict, learn, newNode, sample, type Ctx, type Node } from './node.ts';

export const nodeWith = (bug: Bug): Behavior<Node, Message> => ({
  start: newNode,
  receive(node, message, ctx) {
    if (message.type === 'gossip') return begin(node, message.to, ctx);
    if (message.type === 'down') return convict(node, ctx.from);
    if (message.type === 'syn') answer(node, message.digests, ctx);
    else learn(node, message.news, bug);
    if (message.type === 'ack' && message.lacks.length > 0)
      ctx.send(ctx.from, { type: 'ack2', news: pick(node.known, message.lacks) });
    // The sender is alive, once its name is known.
    if (node.known[ctx.from] !== undefined) sample(node, ctx.from);
  },
});

/** Each round is a heartbeat. */
function begin(node: Node, to: string, ctx: Ctx): void {
  const { generation, version } = node.known[ctx.self] ?? { generation: ctx.restarts, version: 0 };
  node.known[ctx.self] = { generation, version: version + 1 };
  ctx.send(to, { type: 'syn', digests: node.known });
}

/**
 * Only nodes that the other one mentions are compared, as in Cassandra. A newer digest of a known node is a sign of
 * life.
 */
function answer(node: Node, digests: Heartbeats, ctx: Ctx): void {
  const { known } = node;
  const names = Object.keys(digests).sort();
  const lacks = names.filter((name) => isNewer(digests[name] as Heartbeats[string], known[name]));
  const newer = names.filter((name) => known[name] !== undefined && isNewer(known[name], digests[name]));
  for (const name of lacks) if (known[name] !== undefined) sample(node, name);
  if (lacks.length > 0 || newer.length > 0) ctx.send(ctx.from, { type: 'ack', lacks, news: pick(known, newer) });
}

const pick = (known: Heartbeats, names: readonly string[]): Heartbeats =>
  Object.fromEntries(names.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])));
