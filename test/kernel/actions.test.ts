import { act, behavior, check, crash, defineSystem, restart, search, start } from 'culprit';
import { targetOf, resolveSystem } from 'culprit/kernel';
import { expect, test } from 'vitest';

test('an action happens as a whole or not at all, even if one of its parts takes a while', async () => {
  const slow = behavior<object, unknown>({
    async start() {
      await Promise.resolve();
      return {};
    },
    receive() {},
  });
  const system = defineSystem({
    processes: { a: slow, b: slow },
    actions: { swap: () => [restart('a'), crash('a'), restart('b')] },
    workload: [start('a'), start('b'), crash('a'), act('swap'), crash('b'), act('swap')],
    invariants: { stays: (world) => world.up().length > 0 || world.length < 4 || 'nobody is up' },
  });
  expect((await search(system, { executions: 20 })).findings).toHaveLength(1);
  for (const by of ['dpor', 'worlds', 'breadth'] as const) {
    const { verdict } = await check(system, { search: by });
    expect({ by, verdict }).toEqual({ by, verdict: 'violated' });
  }
  const session = targetOf(resolveSystem(system)).open(1);
  for (const external of [start('a'), start('b'), crash('a')]) await session.perform(external);
  expect(session.refusal(act('swap'))).toBe('swap would restart, and b is up');
  await session.perform(crash('b'));
  expect(session.refusal(act('swap'))).toBeUndefined();
});
