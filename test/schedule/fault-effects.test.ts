import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { targetOf, resolveSystem, strategyCalled, type Transport, drive, execution } from 'culprit/kernel';
import {
  behavior,
  crash,
  cut,
  cutOneWay,
  defineSystem,
  heal,
  healOneWay,
  pause,
  restart,
  resume,
  search,
  send,
  start,
  stop,
  untilDeliveries,
  untilQuiet,
  type System,
} from 'culprit';
import { FaultWatch } from '../twins/fault-effects.ts';
import { anyTransport } from '../twins/random-system.ts';

/** `late` is started by the workload, if at all, and so is `x`, which joins. */
const NAMES = ['a', 'b', 'mute', 'late', 'x'];

/** Sometimes sends a message, and passes received ones some hops further; on lanes, or on the default lane alone. */
const nodeOn = (lanes: readonly (string | undefined)[]) =>
  behavior<object, number>({
    start(ctx) {
      if (ctx.random.below(3) === 0) ctx.setTimer('go', 5);
      if (ctx.random.below(4) === 0) ctx.send(ctx.random.pick(NAMES), 1, { lane: ctx.random.pick(lanes) });
      return {};
    },
    receive(_state, hops, ctx) {
      for (let left = ctx.random.below(3); left > 0 && hops > 0; left--)
        ctx.send(ctx.random.pick(NAMES), hops - 1, { lane: ctx.random.pick(lanes) });
    },
    timer(_state, _timer, ctx) {
      ctx.send(ctx.random.pick(NAMES), 3, { lane: ctx.random.pick(lanes) });
    },
  });

/** Sends nothing. */
const mute = behavior<object, number>({ start: () => ({}), receive() {} });

const name = fc.constantFrom(...NAMES);
const pair = fc.tuple(name, name);

/** Which process may go down, and how. */
interface Victims {
  readonly crashed: readonly string[];
  readonly stopped: readonly string[];
}

/**
 * A returned message that finds no sender leaves no record. If messages return, only a process goes down that has sent
 * nothing, or that gets them anyway when it is up again.
 */
function victimsOf({ toAbsent, onCrash }: Transport): Victims {
  if (toAbsent !== 'return') return { crashed: NAMES, stopped: NAMES };
  return onCrash.to === 'keep' ? { crashed: ['a'], stopped: [] } : { crashed: ['mute'], stopped: ['mute'] };
}

const anyExternal = ({ crashed, stopped }: Victims) =>
  fc.oneof(
    name.map((one) => send(one, 5)),
    fc.constantFrom(...crashed).map(crash),
    fc.constantFrom(...crashed).map((one) => restart(one)),
    name.map(pause),
    name.map(resume),
    ...(stopped.length === 0 ? [] : [fc.constantFrom(...stopped).map(stop)]),
    pair.map(([from, to]) => cut(from, to)),
    pair.map(([from, to]) => cutOneWay(from, to)),
    pair.map(([from, to]) => healOneWay(from, to)),
    pair.map(([from, to]) => cut(from, to, { lane: 'x' })),
    pair.map(([from, to]) => heal(from, to, { lane: 'x' })),
    fc.constantFrom(cut([], []), heal(), heal(), start('x', 'node'), untilQuiet()),
  );

/** A message that comes back does not say which lane it took. */
const nodeIn = ({ toAbsent }: Transport) => nodeOn(toAbsent === 'return' ? [undefined] : [undefined, 'x']);

const budget = fc.nat(2);
const faults = fc.record({
  restarts: budget,
  partitions: fc.nat(1),
  losses: budget,
  duplicates: budget,
  holds: budget,
  pauses: budget,
});

const anySystem: fc.Arbitrary<System> = anyTransport.chain((transport) =>
  fc
    .record({
      items: fc.array(anyExternal(victimsOf(transport)), { maxLength: 10, size: 'max' }),
      // Then it never exists.
      tooLate: fc.constantFrom([], [untilDeliveries(99)]),
      faults,
      crashes: transport.toAbsent === 'return' ? fc.constant(0) : budget,
    })
    .map(({ items, tooLate, crashes, ...declared }) =>
      defineSystem({
        processes: { a: nodeIn(transport), b: nodeIn(transport), mute, late: nodeIn(transport) },
        kinds: { node: () => nodeIn(transport) },
        transport,
        faults: { ...declared.faults, crashes },
        workload: [...items, ...tooLate, start('late')],
      }),
    ),
);

test('the faults with an effect are those that a look at every moment of the execution finds', async () => {
  const total: Record<string, [idle: number, effective: number]> = {};
  await fc.assert(
    fc.asyncProperty(anySystem, fc.integer({ min: 1, max: 1_000 }), async (system, seed) => {
      const eventsMax = 25;
      const { coverage } = await search(system, { seed, executions: 1, strategy: 'random', eventsMax });
      const resolved = resolveSystem(system);
      const watch = new FaultWatch();
      const strategy = strategyCalled('random')({ seed, plan: resolved.plan(seed), steps: 0 });
      const oracle = { judge: () => ({ kind: 'holds' }) as const };
      const session = targetOf(resolved).open(seed);
      await drive(execution(session, { strategy, oracle, eventsMax, observe: (now) => watch.look(now) }));
      const counts = watch.counts();
      expect(coverage.faults).toEqual(counts);
      for (const [kind, { happened, effective }] of Object.entries(counts)) {
        const [idle, used] = total[kind] ?? [0, 0];
        total[kind] = [idle + happened - effective, used + effective];
      }
    }),
    { seed: 1, numRuns: 1_000 },
  );
  // Without such faults the test would mean little. A lost message always has an effect.
  const { lose = [0, 0], ...others } = total;
  expect(lose[1]).toBeGreaterThan(10);
  expect(Object.keys(others).toSorted()).toEqual(['crash', 'cut', 'duplicate', 'hold', 'pause', 'restart', 'stop']);
  for (const count of Object.values(others).flat()) expect(count).toBeGreaterThan(1);
});

/** Passes messages from outside on to all others. */
const greeter = behavior<{ greeted: number }, 'hello'>({
  start: () => ({ greeted: 0 }),
  receive(state, message, ctx) {
    state.greeted += 1;
    for (const peer of ctx.peers) if (ctx.from === 'environment') ctx.send(peer, message);
  },
});

const greeters = { a: greeter, b: greeter };

describe('by example, the faults with an effect are reported', () => {
  const hello = send('a', 'hello' as const);
  const quiet = untilQuiet();

  test.each([
    ['nothing was sent', [cut('a', 'b'), heal()], 0],
    ['something was sent while it was cut', [cut('a', 'b'), hello, quiet, heal()], 1],
    ['only the other way', [cutOneWay('b', 'a'), hello, quiet, heal()], 0],
    ['only after it was healed', [cut('a', 'b'), heal(), quiet, hello], 0],
  ])('cuts that had an effect: %s', async (_what, workload, effective) => {
    const { coverage } = await search(defineSystem({ processes: greeters, workload }), { executions: 20 });
    expect(coverage.faults['cut']).toEqual({ happened: 20, effective: 20 * effective });
  });

  test.each([
    ['a crash of who had done nothing', [crash('b')], { crash: [1, 0] }],
    ['a crash of who had been busy', [hello, quiet, crash('b')], { crash: [1, 1] }],
    ['a crash that is written to', [crash('b'), hello], { crash: [1, 1] }],
    [
      'a crash that is written to when it is over',
      [crash('b'), restart('b'), quiet, hello],
      { crash: [1, 0], restart: [1, 1] },
    ],
    ['a cut of what is cut already', [cut('a', 'b'), cut('a', 'b'), hello, quiet, heal()], { cut: [2, 1] }],
    ['a cut that is healed the other way', [cut('a', 'b'), healOneWay('b', 'a'), hello], { cut: [1, 1] }],
    ['a stop', [hello, quiet, stop('a')], { stop: [1, 1] }],
    [
      'a restart after which nothing happens',
      [hello, quiet, crash('b'), restart('b')],
      { crash: [1, 1], restart: [1, 0] },
    ],
  ] as const)('%s', async (_what, workload, expected) => {
    const { coverage } = await search(defineSystem({ processes: greeters, workload }), { executions: 1 });
    const counts = Object.entries(coverage.faults).map(([kind, { happened, effective }]) => [
      kind,
      [happened, effective],
    ]);
    expect(Object.fromEntries(counts)).toEqual(expected);
  });

  test('a crash while a message returns', async () => {
    const asking = behavior<object, 'hello'>({
      start(ctx) {
        ctx.send('nobody', 'hello');
        return {};
      },
      receive() {},
    });
    const system = defineSystem({
      processes: { asking },
      kinds: { late: () => greeter },
      transport: { toAbsent: 'return', onCrash: { to: 'keep', from: 'keep' } },
      triggers: [{ before: ({ kind }) => kind === 'return', do: crash('asking') }],
    });
    const { coverage } = await search(system, { executions: 1 });
    expect(coverage.faults).toEqual({ crash: { happened: 1, effective: 1 } });
  });

  test('losses and copies, of which one may never arrive', async () => {
    const system = defineSystem({ processes: greeters, workload: [hello], faults: { losses: 1, duplicates: 1 } });
    const { coverage } = await search(system, { executions: 300, eventsMax: 6 });
    const { lose, duplicate } = coverage.faults;
    expect(lose?.happened).toBe(lose?.effective);
    expect(duplicate?.effective).toBeGreaterThan(0);
    expect(duplicate?.effective).toBeLessThan(duplicate?.happened ?? 0);
  });
});
