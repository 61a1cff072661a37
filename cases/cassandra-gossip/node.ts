import type { Context } from 'culprit';
import type { Bug } from './bugs.ts';
import { isNewer, type Heartbeats, type Message } from './messages.ts';

export interface Node {
  /** The latest news of every node, itself included. */
  known: Heartbeats;
  /** The nodes that it takes for alive. */
  alive: string[];
  /** The nodes that its failure detector has a sample of: it notices only when one of these falls silent. */
  sampled: string[];
}

export type Ctx = Context<Message>;

/** At the start all nodes know one another. A restarted node has forgotten all others, and is of a new generation. */
export function newNode(ctx: Ctx): Node {
  const isFirst = ctx.restarts === 0;
  const peers = isFirst ? [...ctx.peers].sort() : [];
  const known = Object.fromEntries(peers.map((name) => [name, { generation: 0, version: 0 }]));
  return {
    known: { ...known, [ctx.self]: { generation: ctx.restarts, version: 0 } },
    alive: peers,
    sampled: [...peers],
  };
}

/** News of a node, from any node: it is alive, or was when it said so. */
export function learn(node: Node, news: Heartbeats, bug: Bug): void {
  for (const [name, heartbeat] of Object.entries(news)) {
    const before = node.known[name];
    if (!isNewer(heartbeat, before)) continue;
    if (before !== undefined || bug !== 'cassandra-3626') sample(node, name);
    node.known[name] = heartbeat;
    node.alive = including(node.alive, name);
  }
}

/** The failure detector gets a sign of life of a node. */
export function sample(node: Node, name: string): void {
  node.sampled = including(node.sampled, name);
}

/** A silence. The failure detector judges only nodes that it has a sample of. */
export function convict(node: Node, name: string): void {
  if (node.sampled.includes(name)) node.alive = node.alive.filter((other) => other !== name);
}

const including = (names: readonly string[], name: string): string[] => [...new Set([...names, name])].sort();
