import { behaviour, defineSystem } from 'culprit';
import { expect, test } from 'vitest';
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
