import { act, behavior, check, defineSystem, search, send, type System } from 'culprit';
import type { Definition } from 'culprit/kernel';
import { untilQuiet, type AnyBehavior, type Invariant, type World } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';

const stateful = ['worlds', 'breadth'] as const;

/** The first of the two messages: a search that merges two worlds misses one of them. */
const eachWay = <T extends string | number>(...ways: readonly T[]): [(typeof stateful)[number], T][] =>
  stateful.flatMap((by) => ways.map((way): [(typeof stateful)[number], T] => [by, way]));

const listener = behavior<{ heard: string }, string>({
  start: () => ({ heard: '' }),
  receive(state, message) {
    state.heard = message;
  },
});

/** Takes one more message if the second comes last, and does not remember it. */
const forgetful = behavior<{ done: boolean }, string>({
  start: () => ({ done: false }),
  receive(state, message, ctx) {
    if (message === 'first' && !state.done) ctx.send(ctx.self, 'once more');
    if (message === 'second') state.done = true;
  },
});

/** Passes on every message, and keeps nothing. */
const relay = behavior<object, string>({
  start: () => ({}),
  receive: (_state, message, ctx) => ctx.send('end', message),
});

type Processes = { a: AnyBehavior; end: typeof listener; listener: typeof listener };

describe('worlds that an action can distinguish are not merged', () => {
  const workload = [send('a', 'first'), send('a', 'second')];
  const violatedWhen = (
    first: AnyBehavior,
    heard: string,
    definition: Pick<Definition<Processes>, 'actions' | 'workload'>,
  ): System =>
    defineSystem<Processes>({
      processes: { a: first, end: listener, listener },
      transport: 'unordered',
      ...definition,
      invariants: { heard: (world) => world.process('listener').state?.heard !== heard },
    });

  test.each(eachWay('8', '9'))('by how many events there were, searching %s for %s', async (by, length) => {
    const actions = { count: (world: World<Processes>) => [send('listener', String(world.length))] };
    const system = violatedWhen(forgetful, length, { actions, workload: [...workload, untilQuiet(), act('count')] });
    expect((await check(system, { search: by })).verdict).toBe('violated');
  });

  test.each(eachWay('first', 'second'))('by what is pending, searching %s for %s', async (by, ahead) => {
    const actions = {
      look(world: World<Processes>) {
        const [next, ...others] = world.pending.filter(({ process }) => process === 'end');
        return next?.kind === 'deliver' && others.length > 0 ? [send('listener', String(next.message))] : [];
      },
    };
    const system = violatedWhen(relay, ahead, { actions, workload: [...workload, act('look')] });
    expect((await check(system, { search: by })).verdict).toBe('violated');
  });
});

test.each<[string, AnyBehavior, (world: World) => unknown]>([
  ['how many events there were', forgetful, (world) => [world.length, world.process('a').state]],
  [
    'what is pending',
    relay,
    ({ pending }) => pending.map((event) => [event.process, 'message' in event && event.message]),
  ],
  ['what an event came of', relay, ({ last }) => [last?.kind, last?.cause, last?.process]],
  ['which event was the last one', relay, ({ last }) => last?.kind === 'deliver' && [last.process, last.message]],
])('worlds that an invariant can distinguish are not merged: by %s', async (_what, a, look) => {
  const seenBy = async (by: 'depth' | (typeof stateful)[number]): Promise<string[]> => {
    const seen = new Set<string>();
    const system = defineSystem({
      processes: { a, end: listener },
      transport: 'unordered',
      workload: [send('a', 'first'), send('a', 'second')],
      invariants: { see: (world) => seen.add(JSON.stringify(look(world as unknown as World))).size > 0 },
    });
    await check(system, { search: by });
    return [...seen].toSorted();
  };
  const all = await seenBy('depth');
  for (const by of stateful) expect(await seenBy(by)).toEqual(all);
});

test.each(eachWay('a', 'b'))('handlers may go by the order of keys: by %s, for %s', async (by, first) => {
  const voter = behavior<object, string>({
    start(ctx) {
      ctx.send('tally', 'vote');
      return {};
    },
    receive() {},
  });
  const tally = behavior<{ votes: Record<string, boolean>; elected?: string | undefined }, string>({
    start: () => ({ votes: {} }),
    receive(state, message, ctx) {
      if (message === 'count') state.elected = Object.keys(state.votes)[0];
      else state.votes[ctx.from] = true;
      if (message === 'vote' && Object.keys(state.votes).length === 2) ctx.send(ctx.self, 'count');
    },
  });
  const system = defineSystem({
    processes: { tally, a: voter, b: voter },
    invariants: { elected: (world) => world.process('tally').state?.elected !== first },
  });
  for (const options of [{ search: by }, { reduce: ['automatic'] }] as const)
    expect((await check(system, options)).verdict).toBe('violated');
});

test.each(['breadth', 'worlds', 'novelty'] as const)(
  'a time limit ends a check in which no execution ends, by %s',
  async (by) => {
    const counter = behavior<{ n: number }, string>({
      start(ctx) {
        ctx.repeatTimer('again', 1);
        return { n: 0 };
      },
      receive() {},
      timer(state) {
        state.n += 1;
      },
    });
    const system = defineSystem({ processes: { a: counter, b: counter }, invariants: { few: () => true } });
    const { verdict, seconds } = await check(system, { search: by, seconds: 0.3, eventsMax: 3_000 });
    expect(verdict).toBe('unknown');
    expect(seconds).toBeLessThan(60);
  },
);

describe('a violation before all processes have started is found, as in a hunt', () => {
  type Both = { a: typeof listener; b: typeof listener };
  const violations = (invariant: Invariant<World<Both>>): System =>
    defineSystem<Both>({ processes: { a: listener, b: listener }, invariants: { invariant } });

  test.each([
    ['before anything has happened', 0, violations((world) => world.process('a').up)],
    ['between two starts', 1, violations((world) => world.up().length !== 1)],
  ])('%s', async (_when, length, system) => {
    const hunted = await search(system, { executions: 1 });
    for (const by of ['dpor', 'depth', 'worlds'] as const) {
      const { verdict, findings } = await check(system, { search: by, violations: 2 });
      expect([verdict, findings.map(({ trace }) => trace.events.length)]).toEqual(['violated', [length]]);
      expect(findings[0]?.trace.verdict).toEqual(hunted.findings[0]?.trace.verdict);
    }
  });
});

test.each(['breadth', 'worlds', 'novelty', 'dpor', 'depth'] as const)(
  'consequences of a violated world are no further violation, by %s',
  async (by) => {
    const system = defineSystem({
      processes: { a: listener, b: listener, c: listener },
      workload: [send('a', 'x'), send('b', 'x'), send('c', 'x')],
      invariants: {
        nobodyHears(world) {
          const processes = world.up(listener).flatMap(({ name, state }) => (state.heard === '' ? [] : [name]));
          return processes.length === 0 || { message: `${processes.join(' and ')} heard it`, processes };
        },
      },
    });
    const { findings } = await check(system, { search: by, violations: 10 });
    const messages = findings.map(({ trace: { verdict } }) => (verdict.verdict === 'violated' ? verdict.message : ''));
    expect(messages.toSorted()).toEqual(['a heard it', 'b heard it', 'c heard it']);
  },
);

test.each(['novelty', 'worlds', 'depth'] as const)(
  'a violation at the end of an execution is no violation of longer ones, by %s',
  async (by) => {
    const system = defineSystem({
      processes: { a: listener, b: listener },
      faults: { crashes: 1 },
      invariants: {
        // Only asked at the end: no execution has so many events.
        somebodyLeaves: {
          every: 1_000,
          holds(world) {
            const processes = (['a', 'b'] as const).filter((name) => world.process(name).up);
            return world.length === 0 || { message: `${processes.join(' and ')} stayed`, processes };
          },
        },
      },
    });
    const { findings } = await check(system, { search: by, violations: 10 });
    const messages = findings.map(({ trace: { verdict } }) => (verdict.verdict === 'violated' ? verdict.message : ''));
    expect(messages.toSorted()).toEqual(['a and b stayed', 'a stayed', 'b stayed']);
  },
);

test('a world in which an exception was thrown is the same when it is executed again, whichever code called the handler', async () => {
  const waits = behavior<object, string>({
    start: () => ({}),
    async receive(_state, _message, ctx) {
      await ctx.ask('silent', 'question');
    },
  });
  const silent = behavior<object, string>({ start: () => ({}), receive() {} });
  const throws = behavior<object, string>({
    start: () => ({}),
    receive() {
      throw new Error('boom');
    },
  });
  const system = defineSystem({
    processes: { waits, silent, throws },
    workload: [send('waits', 'go'), send('throws', 'go')],
  });
  for (const by of ['worlds', 'breadth'] as const) {
    const { verdict, findings } = await check(system, { search: by, violations: 9 });
    expect([verdict, findings.length]).toEqual(['violated', 1]);
  }
});
