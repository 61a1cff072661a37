import { behaviour, defineSystem, search, storyLines } from 'culprit';
import { describe, expect, test } from 'vitest';
import { play } from '../transcript.ts';

/** Keys may be anything. */
const keeper = behaviour<Record<string, number>, { type: 'keep'; key: string }>({
  start: () => ({ 'a/b': 0 }),
  receive(state, { key }) {
    state[key] = (state[key] ?? 0) + 1;
  },
});

test('keys are told as they are, whatever is in them', async () => {
  const told = await play(
    defineSystem({ processes: { keeper } }),
    `start keeper
     send keeper {"type":"keep","key":"a/b"}
     deliver environment keeper
     send keeper {"type":"keep","key":"c~d"}
     deliver environment keeper`,
  );
  expect(told).toContain('a/b: 0 → 1');
  expect(told).toContain('c~d: 1 (new)');
});

describe('of a long execution', () => {
  const counter = behaviour<{ n: number }, number>({
    start(ctx) {
      ctx.send('counter', 1);
      return { n: 0 };
    },
    receive(state, n, ctx) {
      state.n = n;
      ctx.send('counter', n + 1);
    },
  });
  const long = defineSystem({ processes: { counter }, invariants: { short: (world) => world.length < 60 } });

  test.each([
    [undefined, 41, '  … 20 earlier events'],
    [59, 60, '  … 1 earlier events'],
    [60, 60, '   1  counter  starts                n: 0'],
    [Number.POSITIVE_INFINITY, 60, '   1  counter  starts                n: 0'],
    [1, 2, '  … 59 earlier events'],
    [0, 0, undefined],
  ])('%s lines are told: its end, unless they are enough for all', async (linesMax, count, first) => {
    const [finding] = (await search(long)).findings;
    const lines = storyLines(finding?.trace.events ?? [], linesMax);
    expect([lines.length, lines[0]]).toEqual([count, first]);
    expect(lines.slice(1).at(-1)).toBe(count === 0 ? undefined : '  60  counter  gets 59 from counter  n: 58 → 59');
  });
});
