import type { Behavior } from '../../kernel/behavior.ts';
import type { Body } from '../protocol/body.ts';
import { NOT_SUPPORTED, errorReply } from '../protocol/error-codes.ts';
import { isRequest } from './key-value.ts';

/** Gives out timestamps: 0, 1, 2 and so on, each once. */
export const timestampOracle: Behavior<{ next: number }, Body> = {
  start: () => ({ next: 0 }),
  receive(state, request, ctx) {
    if (!isRequest(request)) return;
    if (request.type !== 'ts')
      return ctx.reply(errorReply(request, NOT_SUPPORTED, `there is no operation ${request.type}`));
    const { msg_id } = request;
    ctx.reply({ type: 'ts_ok', ts: state.next++, ...(msg_id === undefined ? {} : { in_reply_to: msg_id }) });
  },
};
