import {
  behavior,
  crash,
  defineSystem,
  explainWhy,
  linearizable,
  minimize,
  models,
  NotDeterministic,
  progress,
  search,
  send,
} from 'culprit';
import { whyLines } from 'culprit/report';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { found } from '../../found.ts';
import { explained, minimal, only, violatedIn } from './counterfactual-text.ts';

describe('progress', () => {
  type Message = 'acquire' | 'granted' | 'release';
  const server = behavior<{ queue: string[] }, Message>({
    start: () => ({ queue: [] }),
    receive(state, message, ctx) {
      const [first] = state.queue;
      if (message === 'release') state.queue.shift();
      else state.queue.push(ctx.from);
      const [next] = state.queue;
      if (next !== undefined && next !== first) ctx.send(next, 'granted');
    },
  });
  const client = behavior<{ isDone: boolean }, Message>({
    start(ctx) {
      ctx.send('server', 'acquire');
      return { isDone: false };
    },
    receive(state, _granted, ctx) {
      state.isDone = true;
      ctx.send('server', 'release');
    },
  });
  /** A client that crashes while it has the lock, or before it gets it, keeps it forever. */
  const system = defineSystem({
    processes: { server, a: client, b: client },
    workload: [crash('a')],
    oracles: { served: progress((world) => world.up(client).every(({ state }) => state.isDone)) },
  });

  test('is judged after fair rounds, and holds only if it was made', async () => {
    const trace = (await minimize(system, await found(system, { executions: 1_000 }))).trace;
    expect(trace.verdict).toMatchObject({ fingerprint: 'served stuck' });
    const why = await explainWhy(system, trace);
    expect(why.counterfactuals.map(({ outcome }) => outcome)).not.toContain('unknown');
    expect(only('without', why)).toEqual([
      '1 violated -4,6',
      '2 holds -4,5',
      '3 later -6',
      '4 holds',
      '5 later',
      '6 violated',
    ]);
    expect(only('earlier', why)).toEqual(['4<1 impossible', '5<2 impossible', '6<4 holds']);
    expect(only('added', why)).toEqual(['5<+ holds']);
    expect(why.answer).toBe(
      'had event 6 (server gets acquire from b) come before event 4 (server gets acquire from a), served would have held',
    );
    expect(why.nearest?.verdict).toMatchObject({ verdict: 'holds' });
    expect(why.sampling.how).toMatch(/then for 20 fair rounds/);
    expect(violatedIn(why)).toEqual([28, 42, 34, 30, 55, 100, 100]);
    expect(why.odds.at(-1)).toEqual({ after: trace.events.length, violated: 100, other: 0, unknown: 0, sampled: 100 });
  });
});

test('histories that are not linearizable', async () => {
  type Message = 'write' | 'read' | { readonly value: number };
  /** Answers before it has written. */
  const register = behavior<{ value: number }, Message>({
    start: () => ({ value: 0 }),
    receive(state, message, ctx) {
      if (message === 'read') return ctx.reply({ value: state.value });
      if (message === 'write') ctx.send('register', { value: 1 });
      if (typeof message === 'object') state.value = message.value;
      else ctx.reply({ value: 1 });
    },
  });
  const client = (f: 'write' | 'read') =>
    behavior<{ call: number }, Message>({
      start(ctx) {
        if (f === 'read') ctx.setTimer('read', 10);
        else ctx.send('register', 'write');
        return { call: f === 'write' ? ctx.history.call({ f, value: 1 }) : 0 };
      },
      timer(state, _read, ctx) {
        state.call = ctx.history.call({ f });
        ctx.send('register', 'read');
      },
      receive: (state, message, ctx) =>
        ctx.history.return(state.call, f === 'read' && typeof message === 'object' ? message.value : undefined),
    });
  const system = defineSystem({
    processes: { register, writer: client('write'), reader: client('read') },
    oracles: { atomic: linearizable(models.register(0)) },
  });
  const trace = await minimal(system);
  const why = await explainWhy(system, trace);
  expect(why.answer).toBe(
    'had event 7 (register gets read from reader) come before event 4 (register gets write from writer), atomic would have held',
  );
  expect(only('added', why)).toEqual(['7<+ holds']);
  expect(violatedIn(why).at(0)).toBeLessThan(50);
  expect(why.nearest?.verdict).toMatchObject({ verdict: 'holds' });
});

test('another exception is a different violation', async () => {
  const speaker = behavior<object, string>({
    start(ctx) {
      ctx.send('listener', ctx.self);
      return {};
    },
    receive: () => {},
  });
  const listener = behavior<{ heard: string }, string>({
    start: () => ({ heard: '' }),
    receive(state, word) {
      state.heard += word;
      if (state.heard === 'ba') throw new Error('b was first');
      if (state.heard === 'ab') throw new Error('a was first');
    },
  });
  const system = defineSystem({ processes: { listener, a: speaker, b: speaker } });
  const trace = await found(system);
  const why = await explainWhy(system, trace);
  expect(only('earlier', why)).toEqual(['4<1 impossible', '5<4 other']);
  expect([why.race, why.turn]).toEqual([undefined, 4]);
  expect(why.answer).toMatch(/^no single change of order makes a difference, but each of the events .* is needed/);
  const [start] = why.odds;
  expect((start?.violated ?? 0) + (start?.other ?? 0)).toBe(100);
});

test('handlers that await, so that worlds cannot be forked', async () => {
  const voter = behavior<object, string>({
    start: () => ({}),
    async receive(_state, _message, ctx) {
      if ((await ctx.disk.read('votedFor')) !== undefined) return;
      await ctx.disk.write('votedFor', ctx.from);
      ctx.send(ctx.from, 'vote');
    },
  });
  const candidate = behavior<{ votes: number }, string>({
    start(ctx) {
      ctx.send('voter', 'request');
      return { votes: 0 };
    },
    receive(state) {
      state.votes += 1;
    },
  });
  const system = defineSystem({
    processes: { voter, a: candidate, b: candidate },
    invariants: {
      oneVote: (world) => world.up(candidate).filter(({ state }) => state.votes > 0).length < 2 || 'two votes',
    },
  });
  const why = await explained(system, { continuations: 20 });
  expect(why.answer).toMatchInlineSnapshot(
    `"had event 6 (voter has read votedFor) come before event 5 (voter gets request from b), oneVote would have held"`,
  );
  expect(why.nearest?.verdict).toMatchObject({ verdict: 'holds' });
});

test('a handler that does not return is ended', async () => {
  const system = defineSystem({
    processes: {
      a: behavior<object, never>({
        start(ctx) {
          ctx.setTimer('hang', 1);
          return {};
        },
        receive: () => {},
        timer() {
          for (;;);
        },
      }),
    },
  });
  const [finding] = (await search(system, { handlerMs: 100, executions: 1 })).findings;
  const trace = finding?.trace as Trace;
  const why = await explainWhy(system, trace);
  expect(why).toMatchObject({ oracle: 'handlerReturns', counterfactuals: [], odds: [], noReturn: trace.events.length });
  expect(whyLines(why, trace)).toEqual([
    'why       a did not return from event 2 (fire)',
    '',
    'limits    no changes were tried: a handler does not return, so each try takes seconds',
  ]);
});

test('a nondeterministic system gets the same error as in a replay', async () => {
  const system = defineSystem({ leaks: false }, ({ leaks }) =>
    defineSystem({
      processes: {
        a: behavior<{ moved: number }, string>({
          start: () => ({ moved: 0 }),
          receive(state) {
            state.moved = leaks ? 1 + Math.random() : 1;
          },
        }),
      },
      workload: [send('a', 'go')],
      invariants: { still: (world) => (world.process('a').state?.moved ?? 0) === 0 || 'it moves' },
    }),
  );
  const trace = await found(system);
  const leaking = { ...trace, header: { ...trace.header, parameters: { leaks: true } } };
  await expect(explainWhy(system, leaking)).rejects.toBeInstanceOf(NotDeterministic);
});

test('a long execution is changed near its end and sampled at intervals, and the result says so', async () => {
  const counter = behavior<{ count: number }, number>({
    start(ctx) {
      ctx.send('counter', 1);
      return { count: 0 };
    },
    receive(state, message, ctx) {
      state.count += message;
      ctx.send('counter', 1);
    },
  });
  const system = defineSystem({
    processes: { counter },
    invariants: { small: (world) => (world.process('counter').state?.count ?? 0) < 2_000 || 'it is large' },
  });
  const trace = await found(system, { executions: 1, eventsMax: 3_000 });
  const why = await explainWhy(system, trace);
  const places = why.odds.map(({ after }) => after);
  expect([...places.slice(0, 3), ...places.slice(-26, -22)]).toEqual([0, 83, 167, 1834, 1918, 1978, 1979]);
  expect([why.odds.length, why.odds.at(-1)?.after]).toEqual([48, 2_001]);
  expect(why.counterfactuals.every(({ event }) => event > 2_001 - 49)).toBe(true);
  expect(why.limits).toEqual([
    'only the last 49 of 2001 events were changed',
    'the odds were sampled at 48 of 2002 positions',
  ]);
});
