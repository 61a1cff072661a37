import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { targetOf, resolveSystem, strategyCalled, drive, execution, type Session } from 'culprit/kernel';
import {
  behavior,
  crash,
  cut,
  defineSystem,
  generate,
  search,
  send,
  until,
  untilDeliveries,
  untilQuiet,
  type System,
} from 'culprit';
import { ENVIRONMENT, type Event } from 'culprit/trace';

const content = { judge: () => ({ kind: 'holds' }) as const };

async function run(system: System, seed: number): Promise<Session> {
  const resolved = resolveSystem(system);
  const session = targetOf(resolved).open(seed);
  const strategy = strategyCalled('random')({ seed, plan: resolved.plan(seed), steps: 20 });
  await drive(execution(session, { strategy, oracle: content, eventsMax: 200 }));
  return session;
}

const eventsOf = ({ recording }: Session): Event[] => recording.events.since(0);

/** A message to each process, forty times. */
async function always(system: System, holds: (events: readonly Event[], session: Session) => void): Promise<void> {
  for (let seed = 0; seed < 40; seed++) {
    const session = await run(system, seed);
    holds(eventsOf(session), session);
  }
}

type Message = { type: 'ping'; hops: number } | { type: 'save'; value: number };

const node = behavior<{ pings: number; saved: number }, Message>({
  start: (ctx) => ({ pings: 0, saved: Number(ctx.disk.peek('value') ?? 0) }),
  receive(state, message, ctx) {
    if (message.type === 'save') void ctx.disk.write('value', message.value);
    else {
      state.pings += 1;
      for (const peer of ctx.peers) if (message.hops > 0) ctx.send(peer, { type: 'ping', hops: message.hops - 1 });
    }
  },
});

const pair = { a: node, b: node };

describe('a workload', () => {
  test('waits until nothing but timers is left', async () => {
    const system = defineSystem({
      processes: pair,
      workload: [send('a', { type: 'ping', hops: 3 }), untilQuiet(), send('b', { type: 'save', value: 1 })],
    });
    await always(system, (events) => {
      const second = events.findLastIndex(({ kind }) => kind === 'send');
      expect(events.slice(0, second).filter(({ kind }) => kind === 'deliver').length).toBe(4);
    });
  });

  test('waits for a number of deliveries', async () => {
    const system = defineSystem({
      processes: pair,
      workload: [send('a', { type: 'ping', hops: 5 }), untilDeliveries(3), send('b', { type: 'save', value: 1 })],
    });
    await always(system, (events) => {
      const second = events.findLastIndex(({ kind }) => kind === 'send');
      expect(events.slice(0, second).filter(({ kind }) => kind === 'deliver').length).toBeGreaterThanOrEqual(3);
    });
  });

  test('waits for the world', async () => {
    const system = defineSystem({
      processes: pair,
      workload: [
        send('a', { type: 'ping', hops: 5 }),
        until((world) => world.up(node).some(({ name, state }) => name === 'b' && state.pings === 2)),
        crash('b'),
      ],
    });
    await always(system, (events) => {
      const crashed = events.findIndex(({ kind }) => kind === 'crash');
      const pings = events.slice(0, crashed).filter(({ kind, process }) => kind === 'deliver' && process === 'b');
      expect(pings.length).toBeGreaterThanOrEqual(2);
    });
  });

  test('draws this many externals from arbitraries, by weight and by the seed', async () => {
    const saves = fc.integer({ min: 1, max: 9 }).map((value) => send('a', { type: 'save', value }));
    const pings = fc.constantFrom('a', 'b').map((to) => send(to, { type: 'ping', hops: 0 }));
    const system = defineSystem({ processes: pair, workload: [generate(20, [3, saves], [1, pings])] });
    const sends = async (seed: number): Promise<string[]> =>
      eventsOf(await run(system, seed)).flatMap((event) =>
        event.kind === 'send' ? [JSON.stringify(event.message)] : [],
      );
    expect(await sends(1)).toEqual(await sends(1));
    expect(await sends(1)).not.toEqual(await sends(2));
    const all = (await Promise.all(Array.from({ length: 40 }, (_, seed) => sends(seed)))).flat();
    expect(all.length).toBe(800);
    const share = all.filter((text) => text.includes('save')).length / all.length;
    expect(share).toBeGreaterThan(0.68);
    expect(share).toBeLessThan(0.82);
  });

  test('draws every kind of value that arbitraries can make', async () => {
    const anything = fc.record({
      text: fc.string(),
      big: fc.bigInt(),
      real: fc.double(),
      list: fc.array(fc.nat()),
      one: fc.uuid(),
    });
    const sink = behavior<{ got: unknown[] }, unknown>({
      start: () => ({ got: [] }),
      receive(state, message) {
        state.got.push(message);
      },
    });
    const system = defineSystem({
      processes: { sink },
      workload: [generate(10, [1, anything.map((value) => send('sink', value))])],
    });
    const { findings } = await search(system, { executions: 20 });
    expect(findings).toEqual([]);
  });
});

test('an arbitrary may draw a list of externals, which happen in its order', async () => {
  const numbers = fc
    .integer({ min: 2, max: 4 })
    .map((length) => Array.from({ length }, (_, value) => send('a', { type: 'save' as const, value })));
  const system = defineSystem({ processes: pair, workload: [generate(2, [1, numbers])] });
  const lengths = new Set<number>();
  await always(system, (events) => {
    const sent = events.flatMap((event) => (event.kind === 'send' ? [(event.message as { value: number }).value] : []));
    const second = sent.indexOf(0, 1);
    expect(sent).toEqual([...sent.slice(0, second).keys(), ...sent.slice(second).keys()]);
    lengths.add(sent.length);
  });
  expect(lengths.size).toBeGreaterThan(1);
});

describe('a trigger', () => {
  test('crashes a process before a write is durable', async () => {
    const system = defineSystem({
      processes: pair,
      workload: [send('a', { type: 'save', value: 7 })],
      triggers: [{ before: (event) => event.kind === 'complete' && event.key === 'value', do: crash('a') }],
    });
    await always(system, (events, { world }) => {
      expect(events.at(-1)).toMatchObject({ kind: 'crash', process: 'a' });
      expect(world.process('a').disk.size).toBe(0);
    });
  });

  test('cuts a link after the first message of a kind, and only then', async () => {
    const system = defineSystem({
      processes: pair,
      workload: [send('a', { type: 'ping', hops: 9 })],
      triggers: [
        {
          after: (event) => event.kind === 'deliver' && event.from === 'b' && event.message.type === 'ping',
          do: cut('a', 'b'),
        },
      ],
    });
    await always(system, (events) => {
      const at = events.findIndex(({ kind }) => kind === 'cut');
      expect(events[at - 1]).toMatchObject({ kind: 'deliver', process: 'a', from: 'b' });
      expect(events.slice(0, at - 1).some((event) => event.kind === 'deliver' && event.from === 'b')).toBe(false);
      expect(events.filter(({ kind }) => kind === 'cut').length).toBe(1);
      expect(events.slice(at + 1).some((event) => event.kind === 'deliver' && event.from !== ENVIRONMENT)).toBe(false);
    });
  });
});

describe('a bad workload', () => {
  const nothing = fc.constant(send('a', { type: 'ping', hops: 0 }));

  test.each([
    [
      'weights that add up to nothing',
      generate(3, [0, nothing]),
      'the weights of the workload are 0: nothing could be generated.',
    ],
    ['no arbitraries', generate(3), 'the weights of the workload are missing: nothing could be generated.'],
    ['a number that is none', generate(-1, [1, nothing]), 'the workload generates -1 externals.'],
  ])('%s', (_what, item, problem) => {
    expect(() => resolveSystem(defineSystem({ processes: pair, workload: [item as never] }))).toThrow(problem);
  });

  test('a generator that throws', async () => {
    const broken = fc.nat().map(() => {
      throw new Error('out of ideas');
    });
    const system = defineSystem({ processes: pair, workload: [generate(1, [1, broken])] });
    await expect(search(system)).rejects.toThrow(
      'seed 0: generate(…) number 1 of the workload threw: Error: out of ideas',
    );
  });
});
