import { behavior } from 'culprit';
import type { Command, FailOver, Order, Reply, Stopped } from './messages.ts';

/** Fails over when it is asked to: takes the client off the primary, makes the replica a primary, and sends the client there. */
export const operator = behavior<object, FailOver | Stopped | Reply | Order | Command>({
  start: () => ({}),
  receive(_state, _message, ctx) {
    if (ctx.from === 'environment') ctx.send('client', { type: 'stop' });
    else if (ctx.from === 'client') ctx.send('replica', ['REPLICAOF', 'NO', 'ONE']);
    else ctx.send('client', { type: 'use', server: 'replica' });
  },
});
