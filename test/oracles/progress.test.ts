import { targetOf, resolveSystem, type Definition } from 'culprit/kernel';
import { behavior, crash, cut, defineSystem, progress, search, start, type World } from 'culprit';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';

type Message = { type: 'ping'; n: number } | { type: 'pong'; n: number };

/** Sends pings, and is done when it has seen `enough` answers. */
const pinger = (enough: number, again: (n: number) => number) =>
  behavior<{ seen: number; n: number }, Message>({
    start(ctx) {
      ctx.send('echo', { type: 'ping', n: 0 });
      return { seen: 0, n: 0 };
    },
    receive(state, { n }, ctx) {
      if (state.seen >= enough) return;
      state.n = again(n);
      if (state.n === 0) state.seen += 1;
      ctx.send('echo', { type: 'ping', n: state.n });
    },
  });

const echo = behavior<object, Message>({
  start: () => ({}),
  receive(_state, { n }, ctx) {
    ctx.send(ctx.from, { type: 'pong', n });
  },
});

const seenEnough = (world: World): boolean =>
  ((world.process('pinger').state as { seen: number } | undefined)?.seen ?? 0) > 0;

type Parts = Pick<Definition<{ pinger: ReturnType<typeof pinger>; echo: typeof echo }>, 'workload' | 'transport'>;

const system = (again: (n: number) => number, rounds: number, more: Parts = {}) =>
  defineSystem({
    processes: { pinger: pinger(1, again), echo },
    oracles: { answered: progress(seenEnough, { rounds }) },
    ...more,
  });

describe('progress', () => {
  test('that is made is no violation', async () => {
    const { findings, unknown } = await search(
      system(() => 0, 5),
      { executions: 200 },
    );
    expect({ findings, unknown }).toEqual({ findings: [], unknown: 0 });
  });

  test('is late after so many fair rounds', async () => {
    const { verdict, events } = await found(system((n) => n + 1, 6));
    expect(verdict).toMatchObject({
      oracle: 'answered',
      message: 'not reached in 6 fair rounds',
      fingerprint: 'answered late',
    });
    // Two starts, and in each round the one message that is in flight.
    expect(events).toHaveLength(2 + 6);
  });

  test('is never made in a world that recurs: the loop is reported long before the rounds are over', async () => {
    const { verdict, events } = await found(system((n) => (n % 3) + 1, 1_000));
    expect(verdict).toMatchObject({
      message: 'the world after event 10 is that after event 4: 6 events that can go on for ever',
      fingerprint: 'answered loop',
    });
    expect(events).toHaveLength(10);
  });

  test('may still be made if a handler draws random numbers: equal states are no loop', async () => {
    const roller = behavior<{ rolled: number }, Message>({
      start(ctx) {
        ctx.send('echo', { type: 'ping', n: 0 });
        return { rolled: 0 };
      },
      receive(state, _message, ctx) {
        state.rolled = ctx.random.below(2);
        if (state.rolled === 0) ctx.send('echo', { type: 'ping', n: 0 });
      },
    });
    const rolled = (world: World): boolean =>
      (world.process('roller').state as { rolled: number } | undefined)?.rolled === 1;
    const oracles = { rolls: progress(rolled, { rounds: 60 }) };
    const { findings } = await search(defineSystem({ processes: { roller, echo }, oracles }), { executions: 300 });
    expect(findings).toEqual([]);
  });

  test('is violated if no event is left', async () => {
    const mute = behavior<object, Message>({ start: () => ({}), receive: () => undefined });
    const { verdict, events } = await found(
      defineSystem({
        processes: { pinger: pinger(1, () => 0), echo: mute },
        oracles: { answered: progress(seenEnough) },
      }),
    );
    expect(verdict).toMatchObject({
      message: 'nothing is left that could happen',
      fingerprint: 'answered stuck',
      ending: 'finished',
    });
    expect(events).toHaveLength(3);
  });

  test('is not expected while a link is cut, but is once all are healed', async () => {
    const afterward = system(() => 0, 5, { workload: [cut('pinger', 'echo')] });
    const { findings, unknown, coverage } = await search(afterward, { executions: 100 });
    expect({ findings, unknown }).toEqual({ findings: [], unknown: 0 });
    expect(coverage.kinds['heal']).toBeGreaterThan(0);
    const lossy = system(() => 0, 5, { workload: [cut('pinger', 'echo')], transport: { onCut: 'drop' } });
    expect((await found(lossy)).verdict).toMatchObject({ oracle: 'answered', fingerprint: 'answered stuck' });
  });

  test('is unknown if a link is still cut at the end', () => {
    const cutOff = system(() => 0, 5);
    const session = targetOf(resolveSystem(cutOff)).open(1);
    const oracle = progress(seenEnough).begin?.(session);
    for (const external of [start('pinger'), start('echo'), cut('pinger', 'echo')]) {
      void session.perform(external);
      oracle?.judge(session.world, session.world.last);
    }
    expect(oracle?.end?.(session.world, true)).toEqual({
      kind: 'unknown',
      why: 'a link was still cut when the execution ended',
    });
  });

  test('is lost with a process that crashes and is never restarted', async () => {
    const crashing = system(() => 0, 5, { workload: [crash('echo')] });
    expect((await found(crashing)).verdict).toMatchObject({ fingerprint: 'answered stuck' });
  });

  test('is unknown if an execution is cut short', async () => {
    const { findings, unknown } = await search(
      system((n) => n + 1, 50),
      { executions: 20, eventsMax: 20 },
    );
    expect({ findings, unknown }).toEqual({ findings: [], unknown: 20 });
  });
});
