import { behavior } from 'culprit';
import type { Command, Promoted, Reply } from './messages.ts';

interface Promote {
  readonly type: 'promote';
}

/** Makes the replica the primary when it is asked to, and says so to the client. */
export const operator = behavior<object, Promote | Reply | Promoted | Command>({
  start: () => ({}),
  receive(_state, _message, ctx) {
    if (ctx.from === 'environment') ctx.send('replica', ['REPLICAOF', 'NO', 'ONE']);
    else ctx.send('client', { type: 'promoted', server: 'replica' });
  },
});
