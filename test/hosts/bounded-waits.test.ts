import { behavior, check, defineSystem, search, send, until, untilQuiet } from 'culprit';
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
const saidAtMs = async (wait: Wait, box = slow, executionMs = 60_000): Promise<number | undefined> => {
  const system = defineSystem({
    processes: { box, listener },
    pace: { roundMs: 10, quietMs: 50, executionMs },
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

/** A box that never stops talking. */
const chatty = ticking({
  start(box) {
    const say = (): void => {
      box.send('listener', 'again');
      box.after(20, say);
    };
    say();
  },
});

test('a system that is never quiet is awaited for a while, or until the execution ends', async () => {
  const atMs = await saidAtMs(untilQuiet({ withinMs: 200 }), chatty, 2_000);
  expect(atMs).toBeGreaterThanOrEqual(200);
  expect(atMs).toBeLessThan(500);
  expect(await saidAtMs(untilQuiet(), chatty, 2_000)).toBeUndefined();
});

test.each([until(hasHeard('never'), { withinMs: 5 }), untilQuiet({ withinMs: 5 })])(
  'a check does not know what happens when the time is over: %o',
  async (wait) => {
    const system = defineSystem({ processes: { listener }, workload: [wait, send('listener', 'last')] });
    const { verdict, whyUnknown } = await check(system);
    expect(verdict).toBe('unknown');
    expect(whyUnknown).toContain('a check waits for the condition of a wait with `withinMs`, however long that takes');
  },
);
