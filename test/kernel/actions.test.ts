import { act, behavior, check, crash, defineSystem, minimize, restart, search, send, start, untilQuiet } from 'culprit';
import { targetOf, resolveSystem } from 'culprit/kernel';
import { expect, test } from 'vitest';
import { found } from '../found.ts';

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

test('an action that returns null cannot happen in that world, so one input can require another', async () => {
  const rules = behavior<{ count: number; removed: number }, 'add' | 'remove'>({
    start: () => ({ count: 0, removed: 0 }),
    receive(state, message) {
      state.count += message === 'add' ? 1 : -1;
      if (message === 'remove') state.removed += 1;
    },
  });
  const system = defineSystem({
    processes: { rules },
    actions: {
      add: () => [send('rules', 'add')],
      remove: (world) => ((world.process('rules').state?.count ?? 0) > 0 ? [send('rules', 'remove')] : null),
    },
    workload: [act('add'), untilQuiet(), act('remove'), act('add'), untilQuiet(), act('add'), act('remove')],
    invariants: { kept: (world) => world.process('rules').state?.removed !== 1 },
  });
  const trace = await found(system);
  const { trace: least } = await minimize(system, trace);
  const actions = least.events.flatMap((event) => (event.kind === 'act' ? [event.action] : []));
  // Without an addition there is nothing to remove.
  expect(actions).toEqual(['add', 'remove']);
  const session = targetOf(resolveSystem(system)).open(1);
  await session.perform(start('rules'));
  expect(session.refusal(act('remove'))).toBe('remove cannot happen in this world');
  expect(() => session.perform(act('remove'))).toThrow('remove cannot happen in this world');
});
