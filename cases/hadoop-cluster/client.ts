import { behavior } from 'culprit';
import type { Message } from './messages.ts';

/** Submits the application, and waits for the message that it is over. */
export const client = behavior<{ told: boolean }, Message>({
  start(ctx) {
    ctx.send('rm', { type: 'submit' });
    return { told: false };
  },
  receive(state, message) {
    if (message.type === 'finished') state.told = true;
  },
});
