import { behavior, check, defineSystem, search, send, until } from 'culprit';
import type { Wait, World } from 'culprit/kernel';
import { expect, test } from 'vitest';
import { ticking } from '../twins/ticking.ts';

const listener = behavior<{ got: string[] }, string>({
  start: () => ({ got: [] }),
  receive: (state, message) => void state.got.push(message),
});

/** A box that says `ready` after some time, and never again. */
const slow = ticking({ start: (box) => box.after(700, () => box.send('listener', 'ready')) });

const hasHeard =
  (word: string) =>
  (world: World): boolean =>
    (world.process('listener').state as { got: string[] } | undefined)?.got.includes(word) === true;

/** When the environment says the last word; undefined if it does not. */
const saidAtMs = async (wait: Wait): Promise<number | undefined> => {
  const system = defineSystem({
    processes: { box: slow, listener },
    pace: { roundMs: 10, quietMs: 50, executionMs: 60_000 },
    workload: [wait, send('listener', 'last')],
    invariants: { unsaid: (world) => world.process('listener').state?.got.includes('last') !== true },
  });
  const { findings } = await search(system, { executions: 1, control: false });
  return findings[0]?.trace.events.find(({ kind }) => kind === 'send')?.atMs;
};

test('a condition that becomes true is awaited, and no longer', async () => {
  const atMs = await saidAtMs(until(hasHeard('ready'), { withinMs: 5_000 }));
  expect(atMs).toBeGreaterThanOrEqual(700);
  expect(atMs).toBeLessThan(1_000);
});

test('a condition that never becomes true is given up when its time is over', async () => {
  const atMs = await saidAtMs(until(hasHeard('never'), { withinMs: 5_000 }));
  expect(atMs).toBeGreaterThanOrEqual(5_000);
  expect(atMs).toBeLessThan(5_500);
});

test('without a bound, the execution ends before the workload does', async () => {
  expect(await saidAtMs(until(hasHeard('never')))).toBeUndefined();
});

test('a check does not know what happens when the time is over', async () => {
  const system = defineSystem({
    processes: { listener },
    workload: [until(hasHeard('never'), { withinMs: 5 }), send('listener', 'last')],
  });
  const { verdict, whyUnknown } = await check(system);
  expect(verdict).toBe('unknown');
  expect(whyUnknown).toContain('a check waits for the condition of an until(…), however long that takes');
});
