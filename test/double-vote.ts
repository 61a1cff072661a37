import { behavior } from 'culprit';

type Message = { type: 'request' } | { type: 'vote' };

export const candidate = behavior<{ votes: number }, Message>({
  start(ctx) {
    ctx.send('voter', { type: 'request' });
    return { votes: 0 };
  },
  receive(state) {
    state.votes += 1;
  },
});

/** One voter that reads its disk before it votes: another request may arrive during the read. */
export const electors = (blocking: boolean) => {
  const voter = behavior<object, Message>({
    blocking,
    start: () => ({}),
    async receive(_state, _message, ctx) {
      const votedFor = await ctx.disk.read('votedFor');
      if (votedFor !== undefined) return;
      await ctx.disk.write('votedFor', ctx.from);
      ctx.send(ctx.from, { type: 'vote' });
    },
  });
  return { voter, a: candidate, b: candidate };
};
