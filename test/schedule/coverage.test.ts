import { describe, expect, test } from 'vitest';
import { behavior, defineSystem, search, send } from 'culprit';

type Message = { type: 'hello' } | { type: 'never' };

const node = behavior<{ greeted: number }, Message, 'rare'>({
  start: () => ({ greeted: 0 }),
  receive(state, message, ctx) {
    if (message.type === 'hello') state.greeted += 1;
    for (const peer of ctx.peers) if (ctx.from === 'environment') ctx.send(peer, { type: 'hello' });
  },
});

const pair = { a: node, b: node };

describe('a hunt reports', () => {
  test('distinct executions up to reordering, and how they grew', async () => {
    const three = [send('a', { type: 'hello' }), send('a', { type: 'hello' }), send('b', { type: 'hello' })] as const;
    const { coverage } = await search(defineSystem({ processes: pair, workload: three }), { executions: 512 });
    const { saturation } = coverage;
    expect(coverage.distinct).toBeGreaterThan(10);
    expect(saturation.map(([executions]) => executions)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512]);
    expect(saturation.at(-1)?.[1]).toBe(coverage.distinct);
    expect(saturation.map(([, distinct]) => distinct)).toEqual(
      saturation.map(([, distinct]) => distinct).toSorted((a, b) => a - b),
    );
  });

  test('executions that were alone, whose share is the chance that the next one is new', async () => {
    const greetings = Array.from({ length: 4 }, () => send('a', { type: 'hello' as const }));
    const system = defineSystem({ processes: pair, workload: [...greetings, send('b', { type: 'hello' })] });
    const [half, all] = [
      await search(system, { executions: 1_000 }),
      await search(system, { executions: 2_000 }),
    ] as const;
    const isNew = (all.coverage.distinct - half.coverage.distinct) / 1_000;
    // While the next thousand are executed, the chance falls from the one estimate to the other.
    expect(isNew).toBeLessThan(half.coverage.once / 1_000 + 0.03);
    expect(isNew).toBeGreaterThan(all.coverage.once / 2_000 - 0.03);
    expect(half.coverage.once).toBeGreaterThan(50);
  });

  test('one execution if there is no choice', async () => {
    const { coverage } = await search(defineSystem({ processes: { a: node } }), { executions: 20 });
    expect(coverage.distinct).toBe(1);
    expect(coverage.kinds).toEqual({ start: 20 });
  });

  test('which marks were reached', async () => {
    const system = defineSystem({
      processes: pair,
      workload: [send('a', { type: 'hello' })],
      sometimes: {
        greeted: (world) => world.up(node).every(({ state }) => state.greeted > 0),
        overwhelmed: (world) => world.up(node).some(({ state }) => state.greeted > 5),
      },
    });
    const { coverage } = await search(system, { executions: 20 });
    expect(coverage.marksReached).toEqual(['greeted']);
    expect(coverage.marksMissed).toEqual(['overwhelmed']);
  });

  test('messages and timers that never happened', async () => {
    const waiting = behavior<object, Message, 'rare'>({
      start(ctx) {
        ctx.setTimer('rare', 10);
        ctx.send('gone', { type: 'never' });
        return {};
      },
      receive() {},
      timer(_state, _timer, ctx) {
        ctx.setTimer('rare', 10);
      },
    });
    const system = defineSystem({
      processes: { waiting },
      kinds: { late: () => node },
      transport: { toAbsent: 'keep' },
    });
    const { coverage } = await search(system, { executions: 5, eventsMax: 10 });
    expect(coverage.never).toEqual(['message never']);
  });

  test('final worlds', async () => {
    const adder = behavior<{ sum: number }, number>({
      start: () => ({ sum: 0 }),
      receive(state, n) {
        state.sum = state.sum * 2 + n;
      },
    });
    const workload = [1, 2, 3].map((n) => send('a', n));
    const inAnyOrder = defineSystem({ processes: { a: adder }, transport: 'unordered', workload });
    const { coverage } = await search(inAnyOrder, { executions: 200 });
    // 4a + 2b + c is another number for each of the six orders.
    expect(coverage.worlds).toBe(6);
  });
});
