import { expect, test } from 'vitest';
import { defineSystem } from 'culprit';
import { candidate, electors } from '../double-vote.ts';
import { exhaust } from '../exhaust.ts';

async function votesReached(blocking: boolean): Promise<{ outcomes: string[]; executions: number }> {
  const system = defineSystem({ processes: electors(blocking) });
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
