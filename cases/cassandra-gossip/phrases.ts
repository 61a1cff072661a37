import type { Phrases } from 'culprit';
import type { Heartbeats, Message } from './messages.ts';
import type { Node } from './node.ts';

/** The wording of events and states for readers. */
export const phrases: Phrases<Node, Message> = {
  message(message, { from }) {
    switch (message.type) {
      case 'gossip':
        return `is to gossip with ${message.to}`;
      case 'syn':
        return `hears from ${from} how much it knows: ${news(message.digests)}`;
      case 'ack':
        return `is answered by ${from}: ${news(message.news)}${message.lacks.length === 0 ? '' : `; wants ${message.lacks.join(', ')}`}`;
      case 'ack2':
        return `hears from ${from} what it lacked: ${news(message.news)}`;
      case 'down':
        return `loses the connection to ${from}`;
    }
  },
  state({ alive, sampled }) {
    const unwatched = alive.filter((name) => !sampled.includes(name));
    const blind = unwatched.length === 0 ? '' : `, and would not notice if ${unwatched.join(', ')} fell silent`;
    return `takes ${alive.join(', ') || 'nobody'} for alive${blind}`;
  },
};

/** `node-1 at 1.2`: restarted once, and gossiped twice since. */
const news = (heartbeats: Heartbeats): string =>
  Object.entries(heartbeats)
    .map(([name, { generation, version }]) => `${name} at ${generation}.${version}`)
    .join(', ') || 'nothing';
