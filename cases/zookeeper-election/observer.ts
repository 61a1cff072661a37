import { behavior } from 'culprit';
import type { Message } from './messages.ts';

/** Whom it follows; nobody where it is empty. */
export interface Watching {
  leader: string;
}

/** Follows whoever leads, and has no vote. */
export const observer = behavior<Watching, Message>({
  start: () => ({ leader: '' }),
  receive(state, message, ctx) {
    if (message.type === 'vote') {
      state.leader = ctx.from;
      ctx.send(ctx.from, { type: 'follow', round: message.round, epoch: 0 });
    } else if (message.type === 'down' && state.leader === ctx.from) state.leader = '';
  },
});
