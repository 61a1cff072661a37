import { behavior } from 'culprit';
import type { Message } from './messages.ts';

/** The leader that it follows; none if empty. */
export interface Watching {
  leader: string;
}

/** Follows the leader, and has no vote. */
export const observer = behavior<Watching, Message>({
  start: () => ({ leader: '' }),
  receive(state, message, ctx) {
    if (message.type === 'vote') {
      state.leader = ctx.from;
      ctx.send(ctx.from, { type: 'follow', round: message.round, epoch: 0 });
    } else if (message.type === 'down' && state.leader === ctx.from) state.leader = '';
  },
});
