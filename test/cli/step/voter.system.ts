import { behavior, defineSystem } from 'culprit';

type Message = { type: 'request' } | { type: 'vote' };

/** The voter of the reference: reads its disk before it votes, and votes twice if two requests overlap. */
const voter = behavior<object, Message>({
  start: () => ({}),
  async receive(_state, _message, ctx) {
    if ((await ctx.disk.read('votedFor')) !== undefined) return;
    await ctx.disk.write('votedFor', ctx.from);
    ctx.send(ctx.from, { type: 'vote' });
  },
});

const candidate = behavior<{ votes: number }, Message>({
  start(ctx) {
    ctx.send('voter', { type: 'request' });
    return { votes: 0 };
  },
  receive(state) {
    state.votes += 1;
  },
});

export default defineSystem({
  processes: { voter, a: candidate, b: candidate },
  invariants: {
    oneVote: (world) =>
      world.up(candidate).filter(({ state }) => state.votes > 0).length < 2 || 'a and b both got a vote',
  },
});
