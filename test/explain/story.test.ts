import { behaviour, defineSystem, send, storyLines } from 'culprit';
import { expect, test } from 'vitest';
import { found } from '../found.ts';
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

test('lines that are too long go on below, between the parts of a list', async () => {
  const { events } = await found(
    defineSystem({
      processes: { keeper },
      workload: [send('keeper', { type: 'keep', key: 'first' }), send('keeper', { type: 'keep', key: 'second' })],
      invariants: { few: (world) => world.length < 5 },
    }),
    { strategy: 'random', seed: 3 },
  );
  const wide = storyLines(events);
  expect(storyLines(events, { width: Math.max(...wide.map(({ length }) => length)) })).toEqual(wide);
  expect(`\n${storyLines(events, { width: 50 }).join('\n')}\n`).toMatchInlineSnapshot(`
    "
      1  keeper       starts               a/b: 0
      2  environment  sends keep (key first) to keeper
      3  environment  sends keep (key second) to
                      keeper
      4  keeper       gets keep (key second) from
                      environment
                        second: 1 (new)
      5  keeper       gets keep (key first) from
                      environment
                        first: 1 (new)
    "
  `);
  expect(storyLines(events, { linesMax: 2 })).toEqual(['  … 3 earlier events', ...storyLines(events.slice(-2))]);
});
