import type { Behavior } from 'culprit';
import type { Bug } from './bugs.ts';
import { acknowledge, handOff, keepHint, merge, read, up, write } from './coordinator.ts';
import { COORDINATOR, type Message } from './messages.ts';
import { apply, newest, newNode, type Ctx, type Node } from './node.ts';

/** A replica. Any could coordinate, but only one is asked to. */
export const nodeWith = (bug: Bug, columns: readonly string[]): Behavior<Node, Message> => ({
  start(ctx) {
    if (ctx.restarts > 0 && ctx.self !== COORDINATOR) ctx.send(COORDINATOR, { type: 'up' });
    return newNode(ctx, columns);
  },
  receive: (node, message, ctx) => receive(node, message, ctx, bug),
  timer: (node, replica, ctx) => handOff(node, replica, ctx),
  wrote(node, column, ctx) {
    if (ctx.self === COORDINATOR) acknowledge(node, column, ctx.self, ctx);
    else ctx.send(COORDINATOR, { type: 'applied', column });
  },
  returned(node, message, replica) {
    if (message.type === 'mutation') keepHint(node, replica, message.column);
  },
});

function receive(node: Node, message: Message, ctx: Ctx, bug: Bug): void {
  switch (message.type) {
    case 'write':
      return write(node, message.column, ctx);
    case 'mutation':
      return apply(node, message.column, ctx);
    case 'applied':
      return acknowledge(node, message.column, ctx.from, ctx);
    case 'read':
      return read(node, ctx);
    case 'slice':
      return ctx.send(ctx.from, { type: 'sliced', columns: newest(node.row) });
    case 'sliced':
      return merge(node, message.columns, ctx, bug);
    case 'up':
      return up(node, ctx.from, ctx);
    case 'written':
    case 'result':
      return;
  }
}
