import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  actors,
  behaviour,
  crash,
  cut,
  cutOneWay,
  defineSystem,
  heal,
  healOneWay,
  resolveSystem,
  restart,
  search,
  send,
  start,
  stop,
  strategyCalled,
  untilDeliveries,
  untilQuiet,
  type System,
  type Transport,
} from 'culprit';
import { drive, execution } from 'culprit/kernel';
import { FaultWatch } from '../twins/fault-effects.ts';
import { anyTransport } from '../twins/random-system.ts';

/** `late` is started by the workload, if at all, and so is `x`, which joins. */
const NAMES = ['a', 'b', 'mute', 'late', 'x'];

/** Sends something to somebody now and then, and what it gets some hops further. */
const node = behaviour<object, number>({
  start(ctx) {
    if (ctx.random.below(3) === 0) ctx.setTimer('go', 5);
    if (ctx.random.below(4) === 0) ctx.send(ctx.random.pick(NAMES), 1);
    return {};
  },
  receive(_state, hops, ctx) {
    for (let left = ctx.random.below(3); left > 0 && hops > 0; left--) ctx.send(ctx.random.pick(NAMES), hops - 1);
  },
  timer(_state, _timer, ctx) {
    ctx.send(ctx.random.pick(NAMES), 3);
  },
});

/** Sends nothing. */
const mute = behaviour<object, number>({ start: () => ({}), receive() {} });

const name = fc.constantFrom(...NAMES);
const pair = fc.tuple(name, name);

/** Who may go down, and how. */
interface Victims {
  readonly crashed: readonly string[];
  readonly stopped: readonly string[];
}

/**
 * There is no record of a message that comes back and meets nobody. Where messages come back, only somebody goes down who
 * has sent nothing, or who gets it all the same when it is up again.
 */
function victimsOf({ toAbsent, onCrash }: Transport): Victims {
  if (toAbsent !== 'return') return { crashed: NAMES, stopped: NAMES };
  return onCrash.to === 'keep' ? { crashed: ['a'], stopped: [] } : { crashed: ['mute'], stopped: ['mute'] };
}

const anyExternal = ({ crashed, stopped }: Victims) =>
  fc.oneof(
    name.map((one) => send(one, 5)),
    fc.constantFrom(...crashed).map(crash),
    fc.constantFrom(...crashed).map(restart),
    ...(stopped.length === 0 ? [] : [fc.constantFrom(...stopped).map(stop)]),
    pair.map(([from, to]) => cut(from, to)),
    pair.map(([from, to]) => cutOneWay(from, to)),
    pair.map(([from, to]) => healOneWay(from, to)),
    fc.constantFrom(cut([], []), heal(), heal(), start('x', 'node'), untilQuiet()),
  );

const budget = fc.nat(2);
const faults = fc.record({ restarts: budget, cuts: fc.nat(1), losses: budget, duplicates: budget });

const anySystem: fc.Arbitrary<System> = anyTransport.chain((transport) =>
  fc
    .record({
      items: fc.array(anyExternal(victimsOf(transport)), { maxLength: 10, size: 'max' }),
      // Then it never is there.
      tooLate: fc.constantFrom([], [untilDeliveries(99)]),
      faults,
      crashes: transport.toAbsent === 'return' ? fc.constant(0) : budget,
    })
    .map(({ items, tooLate, crashes, ...declared }) =>
      defineSystem({
        processes: { a: node, b: node, mute, late: node },
        kinds: { node: () => node },
        transport,
        faults: { ...declared.faults, crashes },
        workload: [...items, ...tooLate, start('late')],
      }),
    ),
);

test('which faults had an effect is what looking at every moment of the execution says', async () => {
  const total: Record<string, [idle: number, effective: number]> = {};
  await fc.assert(
    fc.asyncProperty(anySystem, fc.integer({ min: 1, max: 1_000 }), async (system, seed) => {
      const eventsMax = 25;
      const { coverage } = await search(system, { seed, executions: 1, strategy: 'random', eventsMax });
      const resolved = resolveSystem(system);
      const watch = new FaultWatch();
      const strategy = strategyCalled('random')({ seed, plan: resolved.plan(seed), steps: 0 });
      const oracle = { judge: () => ({ kind: 'holds' }) as const };
      const session = actors(resolved).open(seed);
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
  // It would mean little if there were none. What is lost is always missed.
  const { lose = [0, 0], ...others } = total;
  expect(lose[1]).toBeGreaterThan(10);
  expect(Object.keys(others).toSorted()).toEqual(['crash', 'cut', 'duplicate', 'restart', 'stop']);
  for (const count of Object.values(others).flat()) expect(count).toBeGreaterThan(1);
});
