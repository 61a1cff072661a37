import {
  act,
  behavior,
  check,
  crash,
  defineSystem,
  linearizable,
  models,
  progress,
  replay,
  send,
  type Oracle,
  type System,
} from 'culprit';
import { CheckEnded, type Definition, type SearchName } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';
import lock from '../../cases/lock/lock.system.ts';
import { candidate, electors } from '../double-vote.ts';

const counter = behavior({
  start: () => ({ n: 0 }),
  receive(state, by: number) {
    state.n += by;
  },
});

type Both = { a: typeof counter; b: typeof counter };

const bothCount = (invariants: NonNullable<Definition<Both>['invariants']>): System =>
  defineSystem({ processes: { a: counter, b: counter }, workload: [send('a', 1), send('b', 1)], invariants });

describe('a check', () => {
  test('holds if every execution holds', async () => {
    const report = await check(lock, { set: { checksOwner: true } });
    expect(report).toMatchObject({
      verdict: 'holds',
      within: { crashes: 0, restarts: 0, partitions: 0, events: 200 },
      findings: [],
      whyUnknown: [],
      redundant: 0,
      cut: 0,
      plansDone: 1,
      plans: 1,
      share: 1,
    });
    expect(report.within).not.toHaveProperty('seed');
  });

  test('is violated by an execution that replays', async () => {
    const { verdict, findings } = await check(lock);
    expect([verdict, findings.length]).toEqual(['violated', 1]);
    for (const { trace } of findings) {
      expect(trace.verdict).toMatchObject({ oracle: 'mutualExclusion' });
      expect(await replay(lock, trace)).toEqual(trace);
    }
  });

  test.each([
    [{ executions: 10 }, 'the budget was spent before the exploration was complete'],
    [{ eventsMax: 8 }, '4 executions had not ended after 8 events'],
  ])('with %j is unknown', async (bounds, why) => {
    const report = await check(lock, { set: { checksOwner: true }, ...bounds });
    expect(report).toMatchObject({ verdict: 'unknown', whyUnknown: [why], findings: [] });
  });

  test('ends on request, and is unknown', async () => {
    const abort = new AbortController();
    const options = { set: { checksOwner: true }, signal: abort.signal, onProgress: () => abort.abort() };
    const { verdict, whyUnknown, share } = await check(lock, options);
    expect([verdict, whyUnknown]).toEqual([
      'unknown',
      ['the check was interrupted before the exploration was complete'],
    ]);
    expect(share).toBeLessThan(1);
  });

  test.each(['a', 'b'] as const)(
    'does not miss a world with %s ahead, however independent the two are',
    async (ahead) => {
      const behind = ahead === 'a' ? 'b' : 'a';
      const system = bothCount({
        ahead: (world) => !(world.process(ahead).state?.n === 1 && world.process(behind).state?.n === 0),
      });
      expect(await check(system)).toMatchObject({ verdict: 'violated' });
    },
  );

  test('explores one order if no oracle can distinguish the two', async () => {
    // And one more before the reads of the oracle are known.
    const sum = bothCount({ few: (world) => (world.process('a').state?.n ?? 0) < 2 });
    expect(await check(sum)).toMatchObject({ verdict: 'holds', executions: 2 });
  });

  test('names the faults it explored, and those it left out', async () => {
    const system = defineSystem({
      processes: { a: counter, b: counter },
      faults: { crashes: 1, restarts: 1, losses: 1 },
      // Before the first event, no process is up.
      invariants: { up: (world) => world.last === undefined || world.up().length > 0 },
    });
    expect(await check(system)).toMatchObject({
      verdict: 'holds',
      plans: 2,
      plansDone: 2,
      within: { crashes: 1, restarts: 1, partitions: 0 },
      leftOut: ['losses'],
    });
    expect(await check(system, { faults: { crashes: 2 } })).toMatchObject({ verdict: 'violated' });
  });

  test.each(['breadth', 'worlds', 'novelty', 'random', 'rdp', 'dpor'] as const)(
    'does not hold if some executions were not explored: %s',
    async (search) => {
      const report = await check(bothCount({}), { search, executions: 3 });
      expect(report.verdict).toBe(search === 'dpor' ? 'holds' : 'unknown');
    },
  );

  test('does not perform an impossible action', async () => {
    const killed = defineSystem({
      processes: { a: counter, b: counter },
      actions: { kill: () => [crash('a')] },
      workload: [send('a', 1), act('kill'), act('kill')],
    });
    // The second one is never possible. The first may happen before the message is handled, or after.
    expect(await check(killed)).toMatchObject({ verdict: 'holds', executions: 2 });
  });

  describe('with an oracle that remembers', () => {
    const HOLDS = { kind: 'holds' } as const;
    /** Violated if b is the first to hear something. */
    const oracle: Oracle = {
      judge: () => HOLDS,
      begin: () => {
        let first = '';
        return {
          judge(_world, last) {
            if (last?.kind === 'deliver') first ||= last.process;
            if (first !== 'b') return HOLDS;
            return { kind: 'violated', oracle: 'order', message: 'b', processes: [], fingerprint: 'b' };
          },
        };
      },
    };
    const remembering = (one: Oracle): System =>
      defineSystem({
        processes: { a: counter, b: counter },
        workload: [send('a', 1), send('b', 1)],
        oracles: { one },
      });

    test('one order of independent events is not enough, and all orders are', async () => {
      for (const by of ['dpor', 'blackbox', 'blackbox-race-reversal'] as const)
        expect(await check(remembering(oracle), { search: by })).toMatchObject({
          verdict: 'unknown',
          whyUnknown: [expect.stringContaining('only one order of independent events was explored')],
        });
      expect((await check(remembering(oracle), { search: 'depth' })).verdict).toBe('violated');
    });

    test.each<[SearchName, string[]]>([
      ['dpor', ['fair rounds were counted in one order of independent events']],
      ['race-reversal', ['fair rounds were counted in one order of independent events']],
      ['depth', []],
    ])('it may declare that the order makes no difference: by %s', async (by, assumptions) => {
      const report = await check(remembering(progress(() => true)), { search: by });
      expect(report).toMatchObject({ verdict: 'holds', assumptions });
      expect(await check(remembering({ judge: () => HOLDS }), { search: by })).toMatchObject({ assumptions: [] });
    });
  });

  test('is unknown with triggers', async () => {
    const system = defineSystem({
      processes: { a: counter },
      workload: [send('a', 1)],
      triggers: [{ before: ({ kind }) => kind === 'deliver', do: crash('a') }],
    });
    expect(await check(system)).toMatchObject({
      verdict: 'unknown',
      whyUnknown: ['a check does not run triggers'],
    });
  });
});

describe('a check judges', () => {
  test.each([
    ['stands still', false],
    ['goes round in circles', true],
  ])('progress, if a system %s', async (_what, goesOn) => {
    const token = behavior<{ has: boolean }, string>({
      start: () => ({ has: false }),
      receive(state, _message, ctx) {
        state.has = !state.has;
        if (goesOn) ctx.send(ctx.self, 'on');
      },
    });
    const system = defineSystem({
      processes: { a: token },
      workload: [send('a', 'on')],
      oracles: { arrives: progress(() => false) },
    });
    const { verdict, findings } = await check(system, { eventsMax: 30 });
    expect([verdict, findings.map(({ trace }) => trace.verdict)]).toEqual([
      'violated',
      [expect.objectContaining({ oracle: 'arrives' })],
    ]);
  });

  test('histories of clients', async () => {
    type Message = { type: 'write' | 'read' | 'wrote' } | { type: 'value'; value: number };
    const store = behavior<{ value: number }, Message>({
      start: () => ({ value: 0 }),
      receive(state, message, ctx) {
        if (message.type === 'read') return ctx.send(ctx.from, { type: 'value', value: state.value });
        state.value = 1;
        // Its answer may come before the other one knows.
        if (ctx.self === 'first') ctx.send('second', { type: 'write' });
        if (ctx.self === 'first') ctx.send(ctx.from, { type: 'wrote' });
      },
    });
    const client = behavior<{ call: number }, Message>({
      start(ctx) {
        ctx.send('first', { type: 'write' });
        return { call: ctx.history.call({ f: 'write', value: 1 }) };
      },
      receive(state, message, ctx) {
        if (message.type === 'value') return ctx.history.return(state.call, message.value);
        ctx.history.return(state.call);
        ctx.send('second', { type: 'read' });
        state.call = ctx.history.call({ f: 'read' });
      },
    });
    const system = defineSystem({
      processes: { first: store, second: store, client },
      oracles: { linearizable: linearizable(models.register(0)) },
    });
    const { verdict, findings } = await check(system);
    expect(verdict).toBe('violated');
    expect(findings[0]?.trace.verdict).toMatchObject({ oracle: 'linearizable' });
  });

  test.each([
    [false, 'violated'],
    [true, 'holds'],
  ] as const)('async handlers, blocking: %s', async (blocking, expected) => {
    const system = defineSystem({
      processes: electors(blocking),
      invariants: { oneVote: (world) => world.up(candidate).filter(({ state }) => state.votes > 0).length < 2 },
    });
    expect((await check(system)).verdict).toBe(expected);
  });
});

describe('a check stops', () => {
  const ended = async (system: System): Promise<CheckEnded> => {
    const error: unknown = await check(system, { handlerMs: 20, reduce: ['lmi'], violations: 2 }).catch(
      (thrown: unknown) => thrown,
    );
    if (error instanceof CheckEnded) return error;
    throw error;
  };
  const reduce = { message: () => 'discards' as const };
  const processes = { a: counter };
  const workload = [send('a', 1), send('a', 2)];

  test('if a rule throws, and names it', async () => {
    const broken = {
      message: () => {
        throw new Error('hm');
      },
    };
    const error = await ended(defineSystem({ processes, workload, transport: 'unordered', reduce: broken }));
    expect(error.message).toMatch(/^reduce\.message, asked about a message to a, threw: Error: hm/);
    expect(error.report).toMatchObject({ verdict: 'unknown', findings: [] });
  });

  test('if an invariant throws, and keeps earlier findings', async () => {
    const system = defineSystem({
      processes,
      workload,
      transport: 'unordered',
      reduce: { message: () => 'modifies' },
      invariants: {
        none: (world) => world.process('a').state?.n !== 1,
        odd(world) {
          if (world.process('a').state?.n === 2) throw new Error('hm');
          return true;
        },
      },
    });
    const error = await ended(system);
    expect(error.message).toMatch(/^the invariant odd threw after event \d+: Error: hm/);
    expect(error.report.findings.map(({ trace }) => trace.verdict)).toMatchObject([{ oracle: 'none' }]);
  });

  test('where an invariant does not return, which is named', async () => {
    const system = defineSystem({
      processes,
      workload,
      reduce,
      invariants: {
        slow(world) {
          while (world.length > 2);
          return true;
        },
      },
    });
    const { message } = await ended(system);
    expect(message).toBe('the invariant slow did not return within 20 ms.');
  });

  test('if a handler awaits something that no event completes', async () => {
    const waiting = behavior({
      start: () => ({ n: 0 }),
      receive: (_state, _by: number) => new Promise<void>(() => {}),
    });
    const { message } = await ended(defineSystem({ processes: { a: waiting }, workload, reduce }));
    expect(message).toContain('a has been waiting since event');
  });

  test('if the same events have different results', async () => {
    const leaky = behavior({ start: () => ({ n: Math.random() }), receive() {} });
    const { message } = await ended(defineSystem({ processes: { a: leaky }, reduce }));
    expect(message).toContain('Likely leak: Math.random');
  });
});
