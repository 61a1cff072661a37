import { expect, test } from 'vitest';
import { behaviour, defineSystem } from 'culprit';
import { exhaust } from '../exhaust.ts';

type Message = { type: 'request' } | { type: 'vote' };

/** One voter that looks at its disk before it votes: the look is where another request may slip in. */
const election = (blocking: boolean) => {
  const voter = behaviour<object, Message>({
    blocking,
    start: () => ({}),
    async receive(_state, _message, ctx) {
      const votedFor = await ctx.disk.read('votedFor');
      if (votedFor !== undefined) return;
      await ctx.disk.write('votedFor', ctx.from);
      ctx.send(ctx.from, { type: 'vote' });
    },
  });
  const candidate = behaviour<{ votes: number }, Message>({
    start(ctx) {
      ctx.send('voter', { type: 'request' });
      return { votes: 0 };
    },
    receive(state) {
      state.votes += 1;
    },
  });
  const system = defineSystem({ processes: { voter, a: candidate, b: candidate } });
  return { system, candidate };
};

async function votesReached(blocking: boolean): Promise<{ outcomes: string[]; executions: number }> {
  const { system, candidate } = election(blocking);
  const outcomes = new Set<string>();
  const executions = await exhaust(system, ({ world }) => {
    outcomes.add(
      world
        .up(candidate)
        .map(({ name, state }) => `${name}:${state.votes}`)
        .join(' '),
    );
  });
  return { outcomes: [...outcomes].sort(), executions };
}

// Either request is first, and reads and writes of one key are done in order. With the second request behind the write:
// its vote is delivered before, between or after request and read (3); between read and write: before or after the
// second read (2); before the first read: both write, and the first vote falls anywhere behind its write (3).
test('a reentrant voter can vote twice', async () => {
  expect(await votesReached(false)).toEqual({ outcomes: ['a:0 b:1', 'a:1 b:0', 'a:1 b:1'], executions: 16 });
});

// Either request is first; its vote is delivered before, between or after the other's delivery and read.
test('a blocking voter never does', async () => {
  expect(await votesReached(true)).toEqual({ outcomes: ['a:0 b:1', 'a:1 b:0'], executions: 6 });
});
