import { behavior, check, defineSystem, search, send, until } from 'culprit';
import { describe, expect, test } from 'vitest';

/** Functions of a system may take the methods of a world out of it. */

const counter = behavior({
  start: () => ({ count: 0 }),
  receive(state, _message: string) {
    state.count += 1;
  },
});

describe('an invariant that destructures the world', () => {
  const system = defineSystem({
    processes: { a: counter },
    workload: [send('a', 'x'), send('a', 'y')],
    invariants: {
      atMostOne: ({ process, up, operations }) =>
        (process('a').state?.count ?? 0) <= 1 || up().length + operations().length === 0,
    },
  });

  test('is judged by a hunt', async () => {
    const { findings } = await search(system, { executions: 1 });
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'atMostOne' });
  });

  test('is judged by a check', async () => {
    expect(await check(system)).toMatchObject({ verdict: 'violated' });
  });
});

test('a condition of the workload may destructure the world', async () => {
  const system = defineSystem({
    processes: { a: counter },
    workload: [
      send('a', 'x'),
      until(({ process }) => (process('a').state as { count: number } | undefined)?.count === 1),
      send('a', 'y'),
    ],
    invariants: { atMostOne: (world) => (world.process('a').state?.count ?? 0) <= 1 },
  });
  expect((await search(system, { executions: 1 })).findings).toHaveLength(1);
});
