import { behavior, type Behavior } from 'culprit';
import type { Body } from 'culprit/maelstrom';

interface GossipState {
  node: string;
  neighbors: string[];
  messages: unknown[];
  /** Messages that each neighbor has not confirmed. */
  unconfirmed: Record<string, unknown[]>;
}

/** A node for broadcast. Without `retries` it sends each message once: if that is lost, a part of the cluster never gets it. */
export const broadcastNode = ({ retries = true } = {}): Behavior<GossipState, Body> =>
  behavior({
    start: (): GossipState => ({ node: '', neighbors: [], messages: [], unconfirmed: {} }),
    receive(state, body, ctx) {
      const answer = (fields: object): void =>
        ctx.send(ctx.from, { ...fields, in_reply_to: body.msg_id } as unknown as Body);
      const take = (message: unknown, except?: string): void => {
        if (state.messages.includes(message)) return;
        state.messages.push(message);
        for (const neighbor of state.neighbors.filter((name) => name !== except)) {
          (state.unconfirmed[neighbor] ??= []).push(message);
          ctx.send(neighbor, { type: 'gossip', message });
        }
        if (retries) ctx.setTimer('retry', 100);
      };
      switch (body.type) {
        case 'init':
          state.node = body['node_id'] as string;
          return answer({ type: 'init_ok' });
        case 'topology':
          state.neighbors = (body['topology'] as Record<string, string[]>)[state.node] ?? [];
          return answer({ type: 'topology_ok' });
        case 'broadcast':
          take(body['message']);
          return answer({ type: 'broadcast_ok' });
        case 'read':
          return answer({ type: 'read_ok', messages: state.messages });
        case 'gossip':
          take(body['message'], ctx.from);
          return ctx.send(ctx.from, { type: 'got', message: body['message'] });
        case 'got': {
          const left = state.unconfirmed[ctx.from] ?? [];
          state.unconfirmed[ctx.from] = left.filter((message) => message !== body['message']);
        }
      }
    },
    timer(state, _timer, ctx) {
      const open = Object.entries(state.unconfirmed).flatMap(([to, left]) =>
        left.map((message) => [to, message] as const),
      );
      for (const [to, message] of open) ctx.send(to, { type: 'gossip', message });
      if (open.length > 0) ctx.setTimer('retry', 100);
    },
  });
