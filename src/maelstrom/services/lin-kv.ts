import type { Behavior } from '../../kernel/behavior.ts';
import type { Body } from '../protocol/body.ts';
import { apply, isRequest } from './key-value.ts';

/** A store that is linearizable: one copy, one request at a time. */
export const linearizableStore: Behavior<{ store: Record<string, unknown> }, Body> = {
  start: () => ({ store: {} }),
  receive(state, request, ctx) {
    if (!isRequest(request)) return;
    const { reply, write } = apply(state.store, request);
    if (write !== undefined) state.store[write.key] = write.value;
    ctx.reply(reply);
  },
};
