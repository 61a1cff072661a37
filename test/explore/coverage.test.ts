import { describe, expect, test } from 'vitest';
import {
  behaviour,
  crash,
  cut,
  cutOneWay,
  defineSystem,
  heal,
  healOneWay,
  restart,
  search,
  send,
  stop,
  untilQuiet,
} from 'culprit';

type Message = { type: 'hello' } | { type: 'never' };

const node = behaviour<{ greeted: number }, Message, 'rare'>({
  start: () => ({ greeted: 0 }),
  receive(state, message, ctx) {
    if (message.type === 'hello') state.greeted += 1;
    for (const peer of ctx.peers) if (ctx.from === 'environment') ctx.send(peer, { type: 'hello' });
  },
});

const pair = { a: node, b: node };

describe('a hunt says what it has seen', () => {
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

  test('one execution, where there is nothing to choose', async () => {
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

  test('what was sent and set, and never happened', async () => {
    const waiting = behaviour<object, Message, 'rare'>({
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

  test.each([
    ['nothing was sent', [cut('a', 'b'), heal()], 0],
    [
      'something was sent while it was cut',
      [cut('a', 'b'), send('a', { type: 'hello' } as const), untilQuiet(), heal()],
      1,
    ],
    ['only the other way', [cutOneWay('b', 'a'), send('a', { type: 'hello' } as const), untilQuiet(), heal()], 0],
    ['only after it was healed', [cut('a', 'b'), heal(), untilQuiet(), send('a', { type: 'hello' } as const)], 0],
  ])('cuts that had an effect: %s', async (_what, workload, effective) => {
    const { coverage } = await search(defineSystem({ processes: pair, workload }), { executions: 20 });
    expect(coverage.faults['cut']).toEqual({ happened: 20, effective: 20 * effective });
  });

  const hello = send('a', { type: 'hello' } as const);
  const quiet = untilQuiet();
  test.each([
    ['a crash of who had done nothing', [crash('b')], { crash: [1, 0] }],
    ['a crash of who had been busy', [hello, quiet, crash('b')], { crash: [1, 1] }],
    ['a crash that is written to', [crash('b'), hello], { crash: [1, 1] }],
    [
      'a crash that is written to when it is over',
      [crash('b'), restart('b'), quiet, hello],
      { crash: [1, 0], restart: [1, 1] },
    ],
    ['a cut of what is cut already', [cut('a', 'b'), cut('a', 'b'), hello, quiet, heal()], { cut: [2, 1] }],
    ['a cut that is healed the other way', [cut('a', 'b'), healOneWay('b', 'a'), hello], { cut: [1, 1] }],
    ['a stop', [hello, quiet, stop('a')], { stop: [1, 1] }],
    [
      'a restart after which nothing happens',
      [hello, quiet, crash('b'), restart('b')],
      { crash: [1, 1], restart: [1, 0] },
    ],
  ] as const)('%s', async (_what, workload, expected) => {
    const { coverage } = await search(defineSystem({ processes: pair, workload }), { executions: 1 });
    const counts = Object.entries(coverage.faults).map(([kind, { happened, effective }]) => [
      kind,
      [happened, effective],
    ]);
    expect(Object.fromEntries(counts)).toEqual(expected);
  });

  test('a crash while something comes back', async () => {
    const asking = behaviour<object, Message>({
      start(ctx) {
        ctx.send('nobody', { type: 'hello' });
        return {};
      },
      receive() {},
    });
    const system = defineSystem({
      processes: { asking },
      kinds: { late: () => node },
      transport: { toAbsent: 'return', onCrash: { to: 'keep', from: 'keep' } },
      triggers: [{ before: ({ kind }) => kind === 'return', do: crash('asking') }],
    });
    const { coverage } = await search(system, { executions: 1 });
    expect(coverage.faults).toEqual({ crash: { happened: 1, effective: 1 } });
  });

  test('losses and copies, of which one may never arrive', async () => {
    const system = defineSystem({ processes: pair, workload: [hello], faults: { losses: 1, duplicates: 1 } });
    const { coverage } = await search(system, { executions: 300, eventsMax: 6 });
    const { lose, duplicate } = coverage.faults;
    expect(lose?.happened).toBe(lose?.effective);
    expect(duplicate?.effective).toBeGreaterThan(0);
    expect(duplicate?.effective).toBeLessThan(duplicate?.happened ?? 0);
  });

  test('worlds that executions ended in', async () => {
    const adder = behaviour<{ sum: number }, number>({
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
