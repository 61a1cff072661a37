import { behavior, defineSystem, type System } from 'culprit';
import type { AnyBehavior, Definition } from 'culprit/kernel';

interface Counter {
  n: number;
}

/** Passes what it gets on to the next of so many processes. */
const ring = (of: number): Record<string, AnyBehavior> => {
  const next = behavior<Counter, number>({
    start(ctx) {
      if (ctx.self === 'p0') ctx.send('p1', 1);
      return { n: 0 };
    },
    receive(state, hop, ctx) {
      state.n += 1;
      ctx.send(`p${(hop + 1) % of}`, (hop + 1) % of);
    },
  });
  return Object.fromEntries(Array.from({ length: of }, (_, at) => [`p${at}`, next]));
};

/** Answers itself forever; its state is long, or becomes longer. */
const keeping = (length: number, grows: boolean): AnyBehavior =>
  behavior<{ list: number[] }, number>({
    start(ctx) {
      ctx.send(ctx.self, 0);
      return { list: Array.from({ length }, (_, at) => at) };
    },
    receive({ list }, n, ctx) {
      if (grows) list.push(n);
      else list[n % length] = n;
      ctx.send(ctx.self, n + 1);
    },
  });

/** Answers itself forever; its state gets a field, an entry of a Map, or an item in one of 1,000 lists with each event. */
const gaining = (initial: () => object, add: (state: never, n: number) => void): AnyBehavior =>
  behavior<object, number>({
    start(ctx) {
      ctx.send(ctx.self, 0);
      return initial();
    },
    receive(state, n, ctx) {
      add(state as never, n);
      ctx.send(ctx.self, n + 1);
    },
  });

const withFields = gaining(
  () => ({}),
  (state: Record<string, number>, n) => (state[`k${n}`] = n),
);

const withEntries = gaining(
  () => ({ map: new Map() }),
  ({ map }: { map: Map<number, number> }, n) => map.set(n, n),
);

const withLists = gaining(
  () => ({ lists: Array.from({ length: 1_000 }, () => []) }),
  ({ lists }: { lists: number[][] }, n) => lists[n % 1_000]?.push(n),
);

const idle = behavior<Counter, number>({
  start: () => ({ n: 0 }),
  receive(state) {
    state.n += 1;
  },
});

const toItself = behavior<Counter, number>({
  start(ctx) {
    ctx.send(ctx.self, 0);
    return { n: 0 };
  },
  receive(state) {
    state.n += 1;
  },
});

const sender = (count: number): AnyBehavior =>
  behavior<Counter, number>({
    start(ctx) {
      for (let n = 0; n < count; n++) ctx.send('b', n);
      return { n: 0 };
    },
    receive() {},
  });

const alarm = (count: number): AnyBehavior =>
  behavior<Counter, number>({
    start(ctx) {
      for (let n = 0; n < count; n++) ctx.setTimer(`t${n}`, n);
      return { n: 0 };
    },
    receive() {},
    timer(state) {
      state.n += 1;
    },
  });

const parent = (count: number): AnyBehavior =>
  behavior<Counter, number>({
    start(ctx) {
      for (let n = 0; n < count; n++) ctx.spawn('child');
      return { n: 0 };
    },
    receive() {},
  });

const sleeper = behavior<Counter, number>({
  start(ctx) {
    ctx.send(ctx.self, 0);
    return { n: 0 };
  },
  async receive(state, n, ctx) {
    await ctx.sleep(1);
    state.n = n;
    ctx.send(ctx.self, n + 1);
  },
});

type Parts = Pick<Definition<Record<string, AnyBehavior>>, 'processes' | 'kinds' | 'transport'>;

/** What each has of one thing, in executions of so many events. */
const parts: Readonly<Record<string, (events: number) => Parts>> = {
  'many events': () => ({ processes: ring(2) }),
  'a chain of causes through 100 processes': () => ({ processes: ring(100) }),
  'many processes': (events) => ({
    processes: Object.fromEntries(Array.from({ length: events / 2 }, (_, at) => [`p${at}`, toItself])),
  }),
  'many joins': (events) => ({ processes: { a: parent(events - 1) }, kinds: { child: () => idle } }),
  'many messages pending': (events) => ({ processes: { a: sender(events), b: idle } }),
  'many messages pending, in any order': (events) => ({
    processes: { a: sender(events), b: idle },
    transport: 'unordered',
  }),
  'many timers': (events) => ({ processes: { a: alarm(events) } }),
  'a state of 1,000 entries': () => ({ processes: { a: keeping(1_000, false) } }),
  'a state that grows': () => ({ processes: { a: keeping(0, true) } }),
  'a state that gains fields': () => ({ processes: { a: withFields } }),
  'a state whose Map grows': () => ({ processes: { a: withEntries } }),
  'a state of 1,000 lists that grow': () => ({ processes: { a: withLists } }),
  'asynchronous handlers': () => ({ processes: { a: sleeper, b: sleeper } }),
};

/** Systems whose executions are violated after so many events. */
export const largeSystems: Readonly<Record<string, (events: number) => System>> = Object.fromEntries(
  Object.entries(parts).map(([shape, of]) => [
    shape,
    (events: number): System =>
      defineSystem({ ...of(events), invariants: { short: (world) => world.length < events } }),
  ]),
);
