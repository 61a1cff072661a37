import { behavior, type Context } from 'culprit';
import type { Message } from './messages.ts';

const ASK_MS = 10_000;

/** Hands in drivers, and observes the state of each. It waits for every answer before it does anything else. */
export const client = behavior<{ reports: string[] }, Message>({
  blocking: true,
  start: () => ({ reports: [] }),
  async receive(state, message, ctx) {
    if (message.type !== 'submitDriver') throw new Error(`the client does not understand ${message.type}`);
    state.reports.push(await submitted(message.supervise, ctx));
  },
});

async function submitted(supervise: boolean, ctx: Context<Message>): Promise<string> {
  const response = await answer(ctx, { type: 'requestSubmitDriver', supervise });
  if (response?.type !== 'submitDriverResponse') return 'no answer';
  if (response.driver === null) return 'refused';
  const status = await answer(ctx, { type: 'requestDriverStatus', driver: response.driver });
  return `${response.driver}: ${status?.type === 'driverStatusResponse' ? status.status : 'no answer'}`;
}

/** Undefined where the master does not answer in time: it may have crashed. */
async function answer(ctx: Context<Message>, question: Message): Promise<Message | undefined> {
  try {
    return await ctx.ask('master', question, ASK_MS);
  } catch {
    return undefined;
  }
}
