import { expect, expectTypeOf, test } from 'vitest';
import { targetOf, resolveSystem } from 'culprit/kernel';
import { behavior, crash, defineSystem, send, start, type Context, type World } from 'culprit';
import { play } from '../transcript.ts';

type Message = { type: 'ping'; n: number } | { type: 'pong' };

test("states, messages and timers have the user's types", () => {
  const node = behavior<{ count: number }, Message, 'tick'>({
    start(ctx) {
      expectTypeOf(ctx).toEqualTypeOf<Context<Message, 'tick'>>();
      // @ts-expect-error -- no such timer
      ctx.setTimer('tock', 1);
      return { count: 0 };
    },
    receive(state, message, ctx) {
      expectTypeOf(state.count).toBeNumber();
      expectTypeOf(message).toEqualTypeOf<Message>();
      // @ts-expect-error -- no such message
      ctx.send('a', { type: 'pang' });
    },
    timer(_state, timer) {
      expectTypeOf(timer).toEqualTypeOf<'tick'>();
    },
  });
  const inferred = behavior({
    start: () => ({ holder: null as string | null }),
    receive(state, message: Message, ctx) {
      expectTypeOf(state).toEqualTypeOf<{ holder: string | null }>();
      expectTypeOf(ctx).toEqualTypeOf<Context<Message>>();
      expectTypeOf(message).toEqualTypeOf<Message>();
    },
  });
  defineSystem({
    processes: { node },
    workload: [send('node', { type: 'ping', n: 1 }), crash('node'), send('node', { type: 'pong' })],
  });
  defineSystem({ nodes: 3, bug: true, mode: 'fast' }, (parameters) => {
    expectTypeOf(parameters).toEqualTypeOf<{ readonly nodes: number; readonly bug: boolean; readonly mode: string }>();
    return defineSystem({
      processes: { node, inferred },
      // @ts-expect-error -- no such message
      workload: [send('node', { type: 'pang' })],
      invariants: {
        typed(world) {
          expectTypeOf(world.process('node').state).toEqualTypeOf<{ count: number } | undefined>();
          expectTypeOf(world.up(inferred)[0]?.state.holder).toEqualTypeOf<string | null | undefined>();
          // @ts-expect-error -- no such process
          world.process('nobody');
          return true;
        },
        // @ts-expect-error -- nothing is no judgment
        forgotten(world) {
          world.process('node');
        },
        // @ts-expect-error -- nor is a promise
        late: (world) => Promise.resolve(world.length < 9),
      },
    });
  });
  expectTypeOf<World>().toBeObject();
});

test('time, order, peers and random numbers come from the context', async () => {
  const node = behavior<{ seen: unknown[] }, Message, 'tick'>({
    start(ctx) {
      ctx.setTimer('tick', 50);
      ctx.log(`${ctx.self} has ${ctx.peers.join(' and ')}`);
      return { seen: [] };
    },
    receive(state, message, ctx) {
      state.seen.push([message.type, ctx.from, ctx.step, ctx.nowMs]);
    },
    timer(_state, _timer, ctx) {
      for (const peer of ctx.peers) ctx.send(peer, { type: 'pong' });
    },
  });
  expect(
    await play(
      defineSystem({ processes: { a: node, b: node, c: node } }),
      `start a
       start b
       fire a tick
       deliver a b`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  a  starts; logs "a has b and c"  seen: []
    2  b  starts; logs "b has a and c"  seen: []
    3  a  timer tick fires
    4  b  gets pong from a              seen.0: [pong, a, 2, 50] (new)
    "
  `);
});

test('random draws depend on the seed and the process, not on the order of events', () => {
  const drawer = behavior<{ drawn: number[] }, Message>({
    start: (ctx) => ({ drawn: [ctx.random.below(1000), ctx.random.below(1000)] }),
    receive() {},
  });
  const { declaration, ...rest } = resolveSystem(defineSystem({ processes: { a: drawer, b: drawer } }));
  const drawn = (seed: number, order: readonly string[]) => {
    const session = targetOf({ declaration, ...rest }).open(seed);
    for (const name of order) void session.perform(start(name));
    return session.world.up(drawer).map(({ state }) => state.drawn);
  };
  expect(drawn(1, ['a', 'b'])).toEqual(drawn(1, ['b', 'a']));
  expect(drawn(1, ['a', 'b'])).not.toEqual(drawn(2, ['a', 'b']));
  expect(drawn(1, ['a', 'b'])).toMatchInlineSnapshot(`
    [
      [
        849,
        864,
      ],
      [
        436,
        745,
      ],
    ]
  `);
});

test('a message is a copy: neither end sees changes by the other', async () => {
  const giver = behavior<{ list: number[] }, { list: number[] }>({
    start(ctx) {
      const list = [1];
      ctx.send('taker', { list });
      list.push(2);
      return { list };
    },
    receive() {},
  });
  const taker = behavior<{ list: number[] }, { list: number[] }>({
    start: () => ({ list: [] }),
    receive(state, message) {
      state.list = message.list;
      state.list.push(3);
    },
  });
  const session = targetOf(resolveSystem(defineSystem({ processes: { giver, taker } }))).open(1);
  await session.perform(start('giver'));
  await session.perform(start('taker'));
  const [delivery] = session.enabled;
  if (delivery !== undefined) await session.perform(delivery);
  expect(session.world.up(giver)[0]?.state).toEqual({ list: [1, 2] });
  expect(session.world.up(taker)[0]?.state).toEqual({ list: [1, 3] });
  expect(session.recording.events.last).toMatchObject({ kind: 'deliver', message: { list: [1] } });
});

test('a shared initial state, and arguments, belong to each execution alone', async () => {
  const shared = { list: [] as number[] };
  const pusher = behavior<{ list: number[] }, number>({
    start: () => shared,
    receive(state, message) {
      state.list.push(message);
    },
  });
  const system = resolveSystem(defineSystem({ processes: { a: pusher } }));
  for (let execution = 0; execution < 2; execution++) {
    const session = targetOf(system).open(1);
    await session.perform(start('a'));
    await session.perform(send('a', 1));
    const [delivery] = session.enabled;
    if (delivery !== undefined) await session.perform(delivery);
    expect(session.world.up(pusher)[0]?.state).toEqual({ list: [1] });
  }
  expect(shared).toEqual({ list: [] });
});
