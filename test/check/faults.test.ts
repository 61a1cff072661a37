import { behavior, check, crash, defineSystem, restart, send, start } from 'culprit';
import type { Faults } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { expect, test } from 'vitest';

const counter = behavior({
  start: () => ({ n: 0 }),
  receive(state, by: number) {
    state.n += by;
  },
});

test.each<[string, Partial<Faults>, External<number>[]]>([
  ['restarts what the workload crashed', { restarts: 1 }, [crash('a')]],
  ['crashes what the workload restarted', { crashes: 2 }, [send('b', 1), restart('a'), send('b', 1)]],
])('a check %s', async (_what, faults, workload) => {
  const system = defineSystem({
    processes: { a: counter, b: counter },
    faults,
    workload,
    invariants: {
      twice(world) {
        const { up, restarts } = world.process('a');
        return restarts === 0 || ('crashes' in faults && up);
      },
    },
  });
  for (const by of ['dpor', 'race-reversal', 'depth', 'worlds'] as const)
    expect((await check(system, { search: by })).verdict).toBe('violated');
});

test('a check is unknown with faults of joining processes', async () => {
  const system = defineSystem({
    processes: { a: counter },
    kinds: { counter: () => counter },
    workload: [start('b', 'counter')],
    invariants: { up: (world) => world.up().length < 3 },
  });
  expect((await check(system)).verdict).toBe('holds');
  expect(await check(system, { faults: { crashes: 1 } })).toMatchObject({
    verdict: 'unknown',
    whyUnknown: ['faults happened to declared processes only, not to processes that joined'],
  });
});

/**
 * Whether executions with fewer faults than the budget are left out: irrelevant to invariants, but not to verdicts at
 * the end.
 */
test.each([
  ['without any fault', (up: boolean, restarts: number) => up && restarts === 0],
  ['after a crash', (up: boolean, restarts: number) => !up && restarts === 0],
  ['after a restart', (up: boolean, restarts: number) => up && restarts === 1],
])('a check judges the ends of executions %s', async (_when, isWrong) => {
  const system = defineSystem({
    processes: { a: counter },
    faults: { crashes: 1, restarts: 1 },
    oracles: {
      end: {
        judge: () => ({ kind: 'holds' }),
        end(world) {
          const { up, restarts } = world.process('a');
          if (!isWrong(up, restarts)) return { kind: 'holds' };
          return { kind: 'violated', oracle: 'end', message: 'so it ends', processes: ['a'], fingerprint: 'end' };
        },
      },
    },
  });
  expect((await check(system)).verdict).toBe('violated');
});

test('a check by novelty places faults itself', async () => {
  const system = defineSystem({
    processes: { a: counter, b: counter },
    faults: { crashes: 1, restarts: 1, losses: 1 },
    workload: [send('a', 1)],
    reduce: { recovery: () => 'the same' },
    invariants: { up: (world) => world.up().length > 0 || world.last?.kind !== 'crash' },
  });
  const options = { search: 'novelty', reduce: ['crs'] } as const;
  // A rule about recoveries prunes nothing here.
  expect(await check(system, options)).toMatchObject({ verdict: 'holds', plans: 1, leftOut: [], pruned: {} });
  expect(await check(system, { ...options, faults: { crashes: 2 } })).toMatchObject({ verdict: 'violated' });
  expect(await check(system, { ...options, eventsMax: 5 })).toMatchObject({
    verdict: 'unknown',
    whyUnknown: [expect.stringContaining('had not ended after 5 events')],
  });
  await expect(check(system, { search: 'novelty', reduce: ['automatic'] })).rejects.toThrow(
    'automatic does not apply to novelty, which does not explore orders of events',
  );
});
