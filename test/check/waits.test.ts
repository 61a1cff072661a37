import { expect, test } from 'vitest';
import { behavior, check, crash, defineSystem, send, type System } from 'culprit';
import type { Definition } from 'culprit/kernel';
import { until, untilDeliveries, type World } from 'culprit/kernel';

/**
 * An external that waits forever in one order of independent events happens in another: no search may leave that out.
 */

const counter = behavior<{ n: number }, number>({
  start: () => ({ n: 0 }),
  receive(state, message) {
    state.n += message;
  },
});

type Workload = NonNullable<Definition<Record<'a' | 'b', typeof counter>>['workload']>;

const waiting = (workload: Workload): System =>
  defineSystem({
    processes: { a: counter, b: counter },
    workload,
    invariants: { notBoth: (world) => world.process('b').state?.n !== 11 || 'b got both' },
  });

const searches = [
  'dpor',
  'race-reversal',
  'blackbox',
  'blackbox-race-reversal',
  'depth',
  'worlds',
  'breadth',
  'novelty',
] as const;

test.each(searches)('a wait for deliveries that have happened already, by %s', async (search) => {
  const system = waiting([send('b', 1), crash('a'), untilDeliveries(1), send('b', 10)]);
  expect((await check(system, { search })).verdict).toBe('violated');
});

test.each(searches)('a wait for a world that is there in one order only, by %s', async (search) => {
  const counts = (world: World): number[] => world.up(counter).map(({ state }) => state.n);
  const isSo = until((world) => String(counts(world)) === '1,0');
  const system = waiting([send('b', 1), send('a', 1), isSo, send('b', 10)]);
  expect((await check(system, { search })).verdict).toBe('violated');
});
