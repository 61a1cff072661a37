import { setTimeout as sleepReally } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { targetOf, resolveSystem } from 'culprit/kernel';
import { behavior, check, defineSystem, search, send, start, type System } from 'culprit';
import type { Session } from 'culprit/kernel';

/** The messages and effects of a process belong to its events, in any style of asynchronous code. */

type Message = { readonly type: 'ask' } | { readonly type: 'said'; readonly by: string };
interface State {
  heard: string[];
}

/** One process that answers in its own way, and one that records what it hears. */
const talk = (answer: (ctx: { send(to: string, message: Message): void }, state: State) => unknown): System => {
  const speaker = behavior<State, Message>({
    start: () => ({ heard: [] }),
    receive: (state, _message, ctx) => answer(ctx, state) as void,
  });
  const listener = behavior<State, Message>({
    start: () => ({ heard: [] }),
    receive(state, message) {
      if (message.type === 'said') state.heard.push(message.by);
    },
  });
  return defineSystem({ processes: { speaker, listener }, workload: [send('speaker', { type: 'ask' })] });
};

async function toTheEnd(system: System): Promise<Session> {
  const session = targetOf(resolveSystem(system)).open(0);
  for (const name of ['speaker', 'listener']) await session.perform(start(name));
  await session.perform(send('speaker', { type: 'ask' }));
  for (let [next] = session.enabled; next !== undefined; [next] = session.enabled) await session.perform(next);
  return session;
}

const heardIn = (session: Session): unknown => (session.world.process('listener').state as State).heard;

describe('code that a handler does not return', () => {
  const said = { type: 'said', by: 'later' } as const;
  const saidLater = async (ctx: Parameters<Parameters<typeof talk>[0]>[0]): Promise<void> => {
    await Promise.resolve();
    ctx.send('listener', said);
  };
  const ways: [string, System][] = [
    ['an async function', talk((ctx) => void saidLater(ctx))],
    ['a reaction', talk((ctx) => void Promise.resolve().then(() => ctx.send('listener', said)))],
    ['a microtask', talk((ctx) => queueMicrotask(() => ctx.send('listener', said)))],
    ['a tick', talk((ctx) => process.nextTick(() => ctx.send('listener', said)))],
    [
      'a tick that awaits, and queues another',
      talk((ctx) =>
        process.nextTick(async () => {
          for (let hops = 0; hops < 20; hops++) await Promise.resolve();
          process.nextTick(() => queueMicrotask(() => void Promise.resolve().then(() => ctx.send('listener', said))));
        }),
      ),
    ],
  ];

  test.each(ways)('%s is part of the event', async (_way, system) => {
    const session = await toTheEnd(system);
    expect(heardIn(session)).toEqual(['later']);
    const kinds = session.recording.events.since(0).map(({ kind, process }) => `${kind} ${process}`);
    expect(kinds.slice(-2)).toEqual(['deliver speaker', 'deliver listener']);
  });

  test.each(ways)('%s leaves a world that can be copied', async (_way, system) => {
    expect((await toTheEnd(system)).fork).toBeDefined();
  });

  test('code that waits for its own promise prevents copies until it resumes', async () => {
    const release: (() => void)[] = [];
    const system = talk((ctx, state) => {
      const [open] = release.splice(0);
      if (open !== undefined) open();
      else void new Promise<void>((resolve) => release.push(resolve)).then(() => state.heard.push('released'));
      ctx.send('listener', said);
    });
    const session = await toTheEnd(system);
    expect(session.fork).toBeUndefined();
    await session.perform(send('speaker', { type: 'ask' }));
    await session.perform(session.enabled[0] as never);
    expect(session.world.process('speaker').state).toEqual({ heard: ['released'] });
    expect(session.fork).toBeDefined();
  });
});

describe('an unhandled rejection', () => {
  const throws = async (): Promise<void> => {
    await Promise.resolve();
    throw new Error('not handled');
  };

  test('is an exception of the event that made it, regardless of later events', async () => {
    const system = talk((ctx) => {
      void throws();
      ctx.send('listener', { type: 'said', by: 'speaker' });
    });
    const { findings } = await search(system, { executions: 20 });
    expect(findings).toHaveLength(1);
    const { trace } = findings[0] as (typeof findings)[number];
    expect(trace.verdict).toMatchObject({ oracle: 'noUncaughtException', message: 'speaker threw Error: not handled' });
    expect(trace.events.at(-1)).toMatchObject({ kind: 'deliver', process: 'speaker' });
  });

  test('does not end a check: each is a violation', async () => {
    const system = talk(() => void throws());
    for (const by of ['dpor', 'race-reversal', 'worlds', 'breadth', 'depth', 'novelty'] as const)
      expect((await check(system, { search: by })).verdict).toBe('violated');
  });

  test('is ignored if code of the process handles it in the same event', async () => {
    const system = talk(() => void throws().catch(() => {}));
    expect((await check(system)).verdict).toBe('holds');
  });

  test('is ignored if its process has crashed since', async () => {
    const asks = behavior<object, Message>({
      start: () => ({}),
      receive: (_state, _message, ctx) => void ctx.ask('listener', { type: 'ask' }).then(throws),
    });
    const silent = behavior<object, Message>({
      start: () => ({}),
      receive: (_s, _m, ctx) => ctx.reply({ type: 'ask' }),
    });
    const session = targetOf(
      resolveSystem(defineSystem({ processes: { speaker: asks, listener: silent }, faults: { crashes: 1 } })),
    ).open(0);
    for (const name of ['speaker', 'listener']) await session.perform(start(name));
    await session.perform(send('speaker', { type: 'ask' }));
    for (const event of ['deliver speaker', 'deliver listener']) {
      const next = session.enabled.find(({ kind, process }) => `${kind} ${process}` === event);
      await session.perform(next as never);
    }
    await session.perform({ kind: 'crash', process: 'speaker' });
    for (let [next] = session.enabled; next !== undefined; [next] = session.enabled) await session.perform(next);
    expect(session.world.failure).toBeUndefined();
  });

  test('of other code goes to the previous listener', async () => {
    const heard: unknown[] = [];
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    const listener = (error: unknown): void => void heard.push(error);
    process.on('unhandledRejection', listener);
    try {
      const session = targetOf(resolveSystem(talk(() => {}))).open(0);
      await session.perform(start('speaker'));
      void Promise.reject(new Error('of a test'));
      await new Promise((resolve) => setImmediate(resolve));
      expect(heard).toEqual([new Error('of a test')]);
    } finally {
      process.off('unhandledRejection', listener);
      for (const other of others) process.on('unhandledRejection', other);
    }
  });
});

test('a handler that does not return after an await is found, also in the very first event', async () => {
  const endless = behavior<object, never>({
    async start() {
      await Promise.resolve();
      for (;;);
    },
    receive() {},
  });
  // Not awaited in there: nothing may depend on the awaiting code when the handler is ended.
  const { findings } = await (async () => search(defineSystem({ processes: { endless } }), { handlerMs: 100 }))();
  expect(findings.map(({ trace }) => trace.verdict)).toMatchObject([{ oracle: 'handlerReturns' }]);
});

describe('code that waits for a real event', () => {
  const hello = { type: 'ask' } as const;
  const ways: [string, () => Promise<unknown>][] = [
    ['a timer', () => new Promise((resolve) => setTimeout(resolve, 60_000))],
    ['a promise of a timer', () => sleepReally(60_000)],
    ['the event loop', () => new Promise((resolve) => setImmediate(resolve))],
  ];

  test.each(ways)('%s is refused at once, although it also awaits an answer', async (_way, wait) => {
    const waits = behavior<object, Message>({
      async start(ctx) {
        void ctx.ask('listener', hello).then(() => {});
        await wait();
        return {};
      },
      receive() {},
    });
    const silent = behavior<object, Message>({ start: () => ({}), receive() {} });
    const system = defineSystem({ processes: { speaker: waits, listener: silent } });
    const problem = /speaker started a real .* in event 1 and waits for it/;
    await expect(search(system, { executions: 3 })).rejects.toThrow(problem);
    for (const by of ['dpor', 'race-reversal', 'worlds', 'breadth', 'depth', 'novelty'] as const)
      await expect(check(system, { search: by })).rejects.toThrow(problem);
  });
});
