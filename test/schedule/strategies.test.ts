import { describe, expect, test } from 'vitest';
import {
  targetOf,
  resolveSystem,
  strategyCalled,
  strategyNames,
  type StrategyName,
  type Weights,
  drive,
  execution,
  type Session,
} from 'culprit/kernel';
import { behavior, defineSystem, send, type System } from 'culprit';
import type { Event } from 'culprit/trace';
import everything from '../trace/everything.system.ts';

const content = { judge: () => ({ kind: 'holds' }) as const };

interface Run {
  readonly seed: number;
  readonly steps?: number;
  readonly eventsMax?: number;
  readonly weights?: Weights;
}

/** One execution by a strategy. */
async function run(
  system: System,
  name: StrategyName,
  { seed, steps = 20, eventsMax = 200, weights }: Run,
): Promise<Session> {
  const resolved = resolveSystem(system);
  const session = targetOf(resolved).open(seed);
  const strategy = strategyCalled(name)({
    seed,
    plan: resolved.plan(seed),
    steps,
    ...(weights === undefined ? {} : { weights }),
  });
  await drive(execution(session, { strategy, oracle: content, eventsMax }));
  return session;
}

const eventsOf = ({ recording }: Session): Event[] => recording.events.since(0);

describe.each(strategyNames)('%s', (name) => {
  test('does the same for the same seed, and something else for another', async () => {
    const [one, again, other] = [
      await run(everything, name, { seed: 1 }),
      await run(everything, name, { seed: 1 }),
      await run(everything, name, { seed: 2 }),
    ];
    expect(eventsOf(again)).toEqual(eventsOf(one));
    expect(other.name()).not.toEqual(one.name());
  });

  test('continues until no event is left, and then all of the workload has happened', async () => {
    const sink = behavior<{ got: number[] }, number>({
      start: () => ({ got: [] }),
      receive(state, message) {
        state.got.push(message);
      },
    });
    const system = defineSystem({
      processes: { a: sink, b: sink },
      workload: [send('a', 1), send('b', 2), send('a', 3)],
    });
    for (let seed = 0; seed < 20; seed++) {
      const { world } = await run(system, name, { seed });
      expect(world.up(sink).map(({ state }) => state.got.toSorted((one, other) => one - other))).toEqual([[1, 3], [2]]);
    }
  });
});

/** Violated only if b hears from a before c has sent anything: `racers` others make that unlikely at random. */
const race = (racers: number): System => {
  const sender = behavior<object, number>({
    start(ctx) {
      ctx.setTimer('go', 1);
      return {};
    },
    receive() {},
    timer(_state, _timer, ctx) {
      ctx.send('judge', 1);
    },
  });
  const judge = behavior<{ order: string[] }, number>({
    start: () => ({ order: [] }),
    receive(state, _message, ctx) {
      state.order.push(ctx.from);
    },
  });
  const names = Array.from({ length: racers }, (_, at) => `r${at}`);
  return defineSystem({ processes: { judge, ...Object.fromEntries(names.map((racer) => [racer, sender])) } });
};

/** In how many of these executions the last racer is heard first. */
async function hits(name: StrategyName, racers: number, executions: number): Promise<number> {
  let found = 0;
  for (let seed = 0; seed < executions; seed++) {
    const session = await run(race(racers), name, { seed, steps: 2 * racers });
    const first = eventsOf(session).find(({ kind }) => kind === 'deliver');
    if (first?.kind === 'deliver' && first.from === `r${racers - 1}`) found += 1;
  }
  return found;
}

test.each(['pct:2', 'pctcp:2'] as const)('%s finds a bug of depth 2 at least as often as is proved', async (name) => {
  const [racers, executions] = [5, 600];
  const proved = executions / ((racers + 1) * 2 * racers);
  expect(await hits(name, racers, executions)).toBeGreaterThan(proved);
});

test('partial order sampling gives each order of racing deliveries its share', async () => {
  const orders = new Map<string, number>();
  for (let seed = 0; seed < 1200; seed++) {
    const session = await run(race(3), 'pos', { seed });
    const order = eventsOf(session)
      .flatMap((event) => (event.kind === 'deliver' ? [event.from] : []))
      .join(' ');
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  expect(orders.size).toBe(6);
  // 200 each on average; five standard deviations are 65.
  for (const times of orders.values()) expect(Math.abs(times - 200)).toBeLessThan(65);
});

test('round robin gives no process a second turn before all that can act had one', async () => {
  const busy = behavior<object, never>({
    start(ctx) {
      ctx.repeatTimer('tick', 1);
      return {};
    },
    receive() {},
  });
  const system = defineSystem({ processes: { a: busy, b: busy, c: busy } });
  const turns = eventsOf(await run(system, 'round-robin', { seed: 1, eventsMax: 33 }))
    .slice(3)
    .map(({ process }) => process);
  for (let at = 0; at < turns.length; at += 3) expect(turns.slice(at, at + 3).toSorted()).toEqual(['a', 'b', 'c']);
});

/** Timers are always pending, and one message is, 51 times. */
const chatty = behavior<{ left: number }, number>({
  start(ctx) {
    ctx.repeatTimer('tick', 1);
    if (ctx.self === 'a') ctx.send('b', 50);
    return { left: 50 };
  },
  receive(_state, message, ctx) {
    if (message > 0) ctx.send(ctx.from, message - 1);
  },
});

const chat = defineSystem({ processes: { a: chatty, b: chatty } });

test('an event kind of weight zero happens only if no other can', async () => {
  const kinds = eventsOf(await run(chat, 'random', { seed: 1, weights: { fire: 0 }, eventsMax: 60 })).map(
    ({ kind }) => kind,
  );
  expect(kinds.slice(2, 53)).toEqual(Array.from({ length: 51 }, () => 'deliver'));
  expect(kinds.slice(53)).toEqual(Array.from({ length: 7 }, () => 'fire'));
});

describe.each(['random', 'pos', 'pct', 'pctcp'] as const)('by weights, %s', (name) => {
  test('leaves an unnamed kind at its default', async () => {
    const [plain, named] = [
      await run(chat, name, { seed: 3 }),
      await run(chat, name, { seed: 3, weights: { deliver: 1 } }),
    ];
    expect(eventsOf(named)).toEqual(eventsOf(plain));
  });

  test('prefers a kind that is heavier than all unnamed ones', async () => {
    const events = eventsOf(await run(chat, name, { seed: 1, weights: { deliver: 1e9 }, eventsMax: 60 }));
    expect(events.slice(2, 53).map(({ kind }) => kind)).toEqual(Array.from({ length: 51 }, () => 'deliver'));
  });
});

test.each([
  ['best', 'there is no strategy called "best".'],
  ['random:3', 'the strategy "random:3" has an invalid depth.'],
  ['pct:0', 'the strategy "pct:0" has an invalid depth.'],
  ['pct:x', 'the strategy "pct:x" has an invalid depth.'],
])('there is no strategy %s', (name, problem) => {
  expect(() => strategyCalled(name as StrategyName)).toThrow(problem);
});
