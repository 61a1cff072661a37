import { behavior, check, defineSystem, search, send, type System } from 'culprit';
import type { AnyBehavior, Faults } from 'culprit/kernel';
import { hex, type Event } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../twins/one-execution.ts';
import { ticking } from '../twins/ticking.ts';

type Message = { type: 'go'; to: string } | { type: 'item'; n: number };

const MESSAGES = 200;

/** Sends many messages when it is asked to. */
const sender = behavior<{ sent: number }, Message>({
  start: () => ({ sent: 0 }),
  receive(state, message, ctx) {
    if (message.type !== 'go') return;
    for (let n = 0; n < MESSAGES; n++) ctx.send(message.to, { type: 'item', n });
    state.sent = MESSAGES;
  },
});

const receiver = behavior<{ got: number[] }, Message>({
  start: () => ({ got: [] }),
  receive(state, message) {
    if (message.type === 'item') state.got.push(message.n);
  },
});

const isItem = (event: { readonly message: unknown }): boolean => (event.message as Message).type === 'item';

type Rates = { readonly losses?: number; readonly holds?: number };

/** Items are lost and held back at these rates; the messages of the environment are not. */
const faultRates = ({ losses, holds }: Rates) => ({
  ...(losses === undefined ? {} : { losses: (message: { message: unknown }) => (isItem(message) ? losses : 0) }),
  ...(holds === undefined ? {} : { holds: (message: { message: unknown }) => (isItem(message) ? holds : 0) }),
});

const systemWith = (rates: Rates, faults: Partial<Faults> = {}, pairs = 1): System => {
  const numbers = Array.from({ length: pairs }, (_, at) => at);
  return defineSystem({
    processes: Object.fromEntries<AnyBehavior>(
      numbers.flatMap((n) => [
        [`s${n}`, sender],
        [`r${n}`, receiver],
      ]),
    ),
    faults,
    faultRates: faultRates(rates),
    workload: numbers.map((n) => send(`s${n}`, { type: 'go', to: `r${n}` })),
  });
};

const targetsOf = (events: readonly Event[], kind: 'lose' | 'hold'): string[] =>
  events.flatMap((event) => (event.kind === kind ? [event.target] : []));

describe('rates of faults', () => {
  test('decide about each message once, when its turn comes', async () => {
    const lost = await Promise.all([1, 2, 3].map((seed) => eventsOf(systemWith({ losses: 0.25 }), seed)));
    // Three executions of 200 messages: the standard deviation of a mean of 50 is 3.5.
    const mean = lost.flatMap((events) => targetsOf(events, 'lose')).length / lost.length;
    expect(mean).toBeGreaterThan(39);
    expect(mean).toBeLessThan(61);
    for (const events of lost) {
      const arrived = events.filter((event) => event.kind === 'deliver' && isItem(event));
      expect(arrived.length + targetsOf(events, 'lose').length).toBe(MESSAGES);
    }
    expect(targetsOf(await eventsOf(systemWith({ losses: 1 }), 1), 'lose')).toHaveLength(MESSAGES);
    expect(targetsOf(await eventsOf(systemWith({ losses: 0 }, { losses: 9 }), 1), 'lose')).toEqual([]);
  });

  test('stay within the budget', async () => {
    const events = await eventsOf(systemWith({ losses: 0.5, holds: 0.5 }, { losses: 7, holds: 3 }, 2), 1);
    expect([targetsOf(events, 'lose').length, targetsOf(events, 'hold').length]).toEqual([7, 3]);
  });

  test('hold a message back until another event has happened', async () => {
    const events = await eventsOf(systemWith({ holds: 0.1 }, {}, 2), 4);
    const at = new Map(events.map((event, place) => [hex(event), place]));
    const holds = events.flatMap((event) => (event.kind === 'hold' ? [event] : []));
    expect(holds.length).toBeGreaterThan(10);
    // In this order, and none is held twice.
    for (const { target, until } of holds) expect(at.get(until)).toBeLessThan(at.get(target) as number);
    expect(new Set(holds.map(({ target }) => target)).size).toBe(holds.length);
  });

  test('give a message the same fate in every execution of the seed that has it', async () => {
    const fates = async (pairs: number, seed = 1) =>
      new Set(targetsOf(await eventsOf(systemWith({ losses: 0.3 }, {}, pairs), seed), 'lose'));
    const [one, two, otherSeed] = [await fates(1), await fates(2), await fates(1, 2)];
    expect([...one].every((id) => two.has(id))).toBe(true);
    expect(two.size).toBeGreaterThan(one.size);
    expect([...otherSeed]).not.toEqual([...one]);
  });

  test('count beside a process that acts by itself', async () => {
    const speaker = ticking({
      receive: (box) => {
        for (let n = 0; n < 20; n++) box.after(10 * n, () => box.send('r0', { type: 'item', n }));
      },
    });
    const system = defineSystem({
      processes: { s0: speaker, r0: receiver },
      faultRates: faultRates({ losses: 0.5 }),
      workload: [send('s0', { type: 'go', to: 'r0' })],
    });
    const lost = targetsOf(await eventsOf(system, 1), 'lose');
    expect(lost.length).toBeGreaterThan(3);
    expect(targetsOf(await eventsOf(system, 1), 'lose')).toEqual(lost);
  });

  test('do not concern a check, which has the budgets', async () => {
    const few = defineSystem({
      processes: { r0: receiver },
      faults: { losses: 1 },
      faultRates: { losses: () => 1 },
      workload: [send('r0', { type: 'item', n: 1 })],
      invariants: { arrives: (world) => world.process('r0').state?.got.length !== 1 },
    });
    expect((await search(few, { executions: 20 })).findings).toEqual([]);
    expect(await check(few, { search: 'depth' })).toMatchObject({ verdict: 'violated' });
  });

  test.each([
    [() => 2, 'faultRates.losses, asked about a message to s0, returned 2.'],
    [() => 'often' as never, 'returned "often".'],
    [
      () => {
        throw new Error('none');
      },
      'faultRates.losses',
    ],
  ])('that are none are refused', async (losses, message) => {
    const system = defineSystem({
      processes: { s0: sender },
      faultRates: { losses },
      workload: [send('s0', { type: 'go', to: 's0' })],
    });
    await expect(eventsOf(system, 1)).rejects.toThrow(message);
  });
});
