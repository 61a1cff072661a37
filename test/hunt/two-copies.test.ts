import type * as culprit from 'culprit';
import { expect, test, vi } from 'vitest';

type Culprit = typeof culprit;

function anotherCopy(): Promise<Culprit> {
  vi.resetModules();
  return import('culprit');
}

/** A process whose code continues in a queued microtask, which a copy has to follow. */
const echo = ({ behavior, defineSystem, send }: Culprit) =>
  defineSystem({
    processes: {
      echo: behavior<{ heard: number }, string>({
        start: () => ({ heard: 0 }),
        receive(state) {
          queueMicrotask(() => {
            state.heard += 1;
          });
        },
      }),
    },
    workload: [send('echo', 'one'), send('echo', 'two')],
    invariants: { hearsOne: (world) => world.up().every(({ state }) => state.heard < 2) },
  });

test('two copies of culprit take turns in one process', async () => {
  const copies = [await anotherCopy(), await anotherCopy()];
  expect(copies[0]?.check).not.toBe(copies[1]?.check);
  for (const copy of [...copies, ...copies, ...copies]) {
    const { verdict } = await copy.check(echo(copy));
    expect(verdict).toBe('violated');
  }
});
