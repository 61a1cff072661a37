import { describe, expect, test } from 'vitest';
import { targetOf, resolveSystem } from 'culprit/kernel';
import { behavior, crash, defineSystem, search, send, start, type Context, type System } from 'culprit';
import type { Session } from 'culprit/kernel';
import { found } from '../found.ts';
import { play } from '../transcript.ts';

const open = (system: System): Session => targetOf(resolveSystem(system)).open(1);

test('an uncaught exception crashes its process and nothing else', async () => {
  const fragile = behavior<{ n: number }, { type: string }>({
    start: () => ({ n: 0 }),
    receive(state, message) {
      state.n += 1;
      if (message.type === 'bad') throw new TypeError('no such thing');
    },
  });
  expect(
    await play(
      defineSystem({ processes: { a: fragile, b: fragile } }),
      `start a
       start b
       send a {"type":"bad"}
       send b {"type":"good"}
       deliver environment a
       deliver environment b
       restart a`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  a            starts                      n: 0
    2  b            starts                      n: 0
    3  environment  sends bad to a
    4  environment  sends good to b
    5  a            gets bad from environment
       a threw TypeError: no such thing
    6  b            gets good from environment  n: 0 → 1
    7  a            restarts                    n: 0
    "
  `);
});

test('an exception after an await belongs to the event that resumed the handler', async () => {
  const late = behavior<object, { type: string }>({
    start: () => ({}),
    async receive(_state, _message, ctx) {
      await ctx.sleep(10);
      throw new Error('too late');
    },
  });
  expect(
    await play(defineSystem({ processes: { a: late } }), `start a\nsend a {"type":"x"}\ndeliver environment a\nwake a`),
  ).toMatchInlineSnapshot(`
    "
    1  a            starts
    2  environment  sends x to a
    3  a            gets x from environment
    4  a            wakes
       a threw Error: too late
    "
  `);
});

test('an uncaught exception is a violation that a hunt finds', async () => {
  const fragile = behavior<object, { type: string }>({
    start: () => ({}),
    receive() {
      throw new Error('boom');
    },
  });
  const trace = await found(defineSystem({ processes: { a: fragile }, workload: [send('a', { type: 'x' })] }));
  expect(trace.verdict).toMatchObject({
    verdict: 'violated',
    oracle: 'noUncaughtException',
    message: 'a threw Error: boom',
  });
});

test('a handler that does not return is a violation of the event that it handles', async () => {
  const endless = behavior<{ n: number }, { type: string }>({
    start: () => ({ n: 0 }),
    receive(state, message) {
      while (message.type === 'x') state.n += 1;
    },
  });
  const system = defineSystem({
    processes: { a: endless },
    workload: [send('a', { type: 'y' }), send('a', { type: 'x' })],
  });
  const trace = await found(system, { handlerMs: 100 });
  expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'handlerReturns', processes: ['a'] });
  expect(trace.events.at(-1)).toMatchObject({ kind: 'deliver', process: 'a', message: { type: 'x' } });
});

test('a handler that does not return after an await is too', async () => {
  const endless = behavior<{ n: number }, { type: string }>({
    start: () => ({ n: 0 }),
    async receive(state, message, ctx) {
      await ctx.sleep(10);
      while (message.type === 'x') state.n += 1;
    },
  });
  const system = defineSystem({
    processes: { a: endless },
    workload: [send('a', { type: 'y' }), send('a', { type: 'x' })],
  });
  const trace = await found(system, { handlerMs: 200 });
  expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'handlerReturns', processes: ['a'] });
  expect(trace.events.at(-1)).toMatchObject({ kind: 'complete', operation: 'sleep', process: 'a' });
});

describe('code that culprit does not control', () => {
  const awaiting = (what: () => Promise<unknown>) =>
    behavior<{ woken: boolean }, { type: string }>({
      start: () => ({ woken: false }),
      async receive(state) {
        await what();
        state.woken = true;
      },
    });
  const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  test('is reported when a handler waits for a timer', async () => {
    const system = defineSystem({
      processes: { a: awaiting(() => later(10_000)) },
      workload: [send('a', { type: 'x' })],
    });
    await expect(search(system)).rejects.toThrow(
      /^seed 0: a started a real timer \(setTimeout\) in event 3 and waits for it: /,
    );
  });

  test('is reported when it wakes a handler', async () => {
    let wake = (): void => {};
    const outside = new Promise<void>((resolve) => (wake = resolve));
    const session = open(defineSystem({ processes: { a: awaiting(() => outside) } }));
    await session.perform(start('a'));
    await session.perform(send('a', { type: 'x' }));
    await session.perform(session.enabled[0] as never);
    wake();
    await later(1);
    expect(() => session.perform(crash('a'))).toThrow(/outside of an event/);
  });

  test('is reported if it uses the context', async () => {
    const wrongs: string[] = [];
    const leaky = behavior<object, { type: string }>({
      start: () => ({}),
      receive(_state, message, ctx) {
        setTimeout(() => {
          try {
            ctx.send('a', message);
          } catch (error) {
            wrongs.push(String(error));
          }
        }, 1);
      },
    });
    const session = open(defineSystem({ processes: { a: leaky } }));
    await session.perform(start('a'));
    await session.perform(send('a', { type: 'x' }));
    await session.perform(session.enabled[0] as never);
    await later(20);
    expect(wrongs).toEqual([
      'Error: a used ctx.send outside of an event: its code was resumed by something that culprit does not control.',
    ]);
  });

  test('does not matter if handlers wait for one another', async () => {
    // A lock made of promises: the second handler waits for the first, which waits for the disk.
    let free: Promise<void> = Promise.resolve();
    const polite = behavior<{ order: string[] }, { type: string }>({
      start: () => ({ order: [] }),
      async receive(state, message, ctx) {
        const before = free;
        let release = (): void => {};
        free = new Promise((resolve) => {
          release = resolve;
        });
        await before;
        await ctx.disk.write('last', message.type);
        state.order.push(message.type);
        release();
      },
    });
    expect(
      await play(
        defineSystem({ processes: { a: polite } }),
        `start a
         send a {"type":"x"}
         send a {"type":"y"}
         deliver environment a
         deliver environment a
         enabled
         write a last
         enabled
         write a last
         enabled`,
      ),
    ).toMatchInlineSnapshot(`
      "
      1  a            starts                   order: []
      2  environment  sends x to a
      3  environment  sends y to a
      4  a            gets x from environment
      5  a            gets y from environment
         enabled: a write last
      6  a            has written last: x      order.0: x (new)
         enabled: a write last
      7  a            has written last: y      order.1: y (new)
         enabled: nothing
      "
    `);
  });
});

describe('mistakes in a system', () => {
  const sends = (message: unknown, to = 'b') =>
    behavior<object, unknown>({
      start(ctx) {
        ctx.send(to, message);
        return {};
      },
      receive() {},
    });

  test.each([
    [
      'a function',
      { type: 'x', on: { end: () => 1 } },
      'a: the message to b in event 1.on.end is the function end, which is not plain data.',
    ],
    [
      'a class',
      { at: [new Date(0)] },
      'a: the message to b in event 1.at.0 is an instance of Date, which is not plain data.',
    ],
    ['a symbol', { s: Symbol('s') }, 'a: the message to b in event 1.s is Symbol(s), which is not plain data.'],
  ])('a message with %s', (_what, message, problem) => {
    const session = open(defineSystem({ processes: { a: sends(message), b: sends(1, 'a') } }));
    expect(() => session.perform(start('a'))).toThrow(problem);
  });

  test('a message that is nested too deeply', () => {
    let deep: object = {};
    for (let depth = 0; depth < 200; depth++) deep = { deep };
    const session = open(defineSystem({ processes: { a: sends(deep), b: sends(1) } }));
    expect(() => session.perform(start('a'))).toThrow('more than 100 deep');
  });

  test('an unknown peer', () => {
    const session = open(defineSystem({ processes: { a: sends(1, 'z'), b: sends(1, 'a') } }));
    expect(() => session.perform(start('a'))).toThrow('a: there is no process called "z": the system has a, b.');
  });

  test('a bad delay, a bad state', () => {
    const startsWith = (begin: (ctx: Context<never>) => object) =>
      open(defineSystem({ processes: { a: behavior<object, never>({ start: begin, receive() {} }) } }));
    const starting = (session: Session) => () => session.perform(start('a'));
    expect(starting(startsWith((ctx) => (ctx.setTimer('t', Number.NaN), {})))).toThrow(
      'a: setTimer takes milliseconds, not NaN.',
    );
    expect(starting(startsWith((ctx) => (ctx.repeatTimer('t', 0), {})))).toThrow(
      'a: repeatTimer takes milliseconds, not 0.',
    );
    expect(starting(startsWith(() => undefined as never))).toThrow(
      'a: start returned undefined, which is not a state.',
    );
    expect(starting(startsWith(() => ({ at: new URL('file:///') })))).toThrow(
      'a: the state that start returns in event 1.at is an instance of URL',
    );
  });

  test('functions of the system that throw', () => {
    const bad = (): never => {
      throw new Error('oh');
    };
    expect(() => resolveSystem(defineSystem({ n: 1 }, bad))).toThrow('defining the system threw: Error: oh');
    const session = open(defineSystem({ processes: { a: sends(1, 'a') }, actions: { bad } }));
    expect(() => session.perform({ kind: 'act', action: 'bad' })).toThrow('the action bad threw: Error: oh');
  });

  test('names that joining processes may not have', () => {
    const idle = behavior<object, never>({ start: () => ({}), receive() {} });
    const session = open(defineSystem({ processes: { a: idle }, kinds: { worker: () => idle } }));
    for (const name of ['environment', 'a/worker-1']) {
      expect(() => session.perform(start(name, 'worker'))).toThrow(`no process that joins may be called ${name}`);
    }
  });

  test('events that cannot happen', () => {
    const session = open(defineSystem({ processes: { a: sends(1), b: sends(1, 'a') } }));
    expect(() => session.perform(crash('a'))).toThrow(
      '{"kind":"crash","process":"a"} cannot happen now: a is waiting.',
    );
    void session.perform(start('a'));
    expect(() => session.perform(start('a'))).toThrow('a is up');
    expect(() => session.perform({ kind: 'lose', target: '0000000000000000' })).toThrow('the transport loses nothing');
    expect(() => session.perform({ kind: 'act', action: 'fly' })).toThrow(
      'there is no action called "fly": the system has none.',
    );
    expect(session.world.length).toBe(1);
  });
});
