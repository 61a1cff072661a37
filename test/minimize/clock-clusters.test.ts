import { behavior, defineSystem, minimize, send, type System } from 'culprit';
import type { MinimizeHints } from 'culprit/kernel';
import { expect, test } from 'vitest';
import { found } from '../found.ts';

type Message = { type: 'left' | 'right'; term: number } | { type: 'check' };

/** Sends a pair for each of three terms. */
const sender = behavior<object, Message>({
  start(ctx) {
    for (const term of [1, 2, 3]) {
      ctx.send('scale', { type: 'left', term });
      ctx.send('scale', { type: 'right', term });
    }
    return {};
  },
  receive() {},
});

const scale = behavior<{ left: number; right: number; isLevel: boolean }, Message>({
  start: () => ({ left: 0, right: 0, isLevel: false }),
  receive(state, { type }) {
    if (type === 'check') state.isLevel = state.left > 0 && state.left === state.right;
    else state[type] += 1;
  },
});

/** Violated if both sides have equal weight: no message of a pair can be removed alone. */
const weighing = (hints: MinimizeHints<Message>): System =>
  defineSystem({
    processes: { scale, sender },
    transport: 'unordered',
    workload: [send('scale', { type: 'check' })],
    minimize: hints,
    invariants: { neverLevel: (world) => world.up(scale).every(({ state }) => !state.isLevel) },
  });

const withClock = weighing({ clock: (message) => ('term' in message ? message.term : undefined) });

/** All three pairs, then the check. */
const level = async (system: System) => {
  for (let seed = 1; ; seed++) {
    const trace = await found(system, { seed, executions: 1, strategy: 'random' }).catch(() => undefined);
    if (trace?.events.length === 10) return trace;
  }
};

const terms = (events: readonly object[]): number[] =>
  events.flatMap((event) => (event as { message?: { term?: number } }).message?.term ?? []);

test('all messages of a term are removed at once, term by term', async () => {
  const trace = await level(withClock);
  expect(terms(trace.events).toSorted((one, other) => one - other)).toEqual([1, 1, 2, 2, 3, 3]);
  const { trace: left, stages } = await minimize(withClock, trace, { passes: ['clock-clusters:type:skip'] });
  // Two of three terms are removed. The last stays, as something has to be weighed.
  expect(left.events.length).toBe(6);
  expect(terms(left.events)).toEqual([3, 3]);
  expect(stages[1]).not.toHaveProperty('leftOut');
});

test('without a clock in the system, the pass is left out and says so', async () => {
  const system = weighing({});
  const trace = await level(system);
  const { trace: left, stages } = await minimize(system, trace, { passes: ['clock-clusters:type:skip'] });
  expect(left.events.length).toBe(10);
  expect(stages.map(({ pass, leftOut }) => [pass, leftOut])).toEqual([
    ['verify', undefined],
    ['clock-clusters:type:skip', 'the system does not define minimize.clock'],
  ]);
});

test('a clock that throws is an error of the system', async () => {
  const system = weighing({
    clock() {
      throw new Error('no clock');
    },
  });
  const trace = await level(system);
  await expect(minimize(system, trace, { passes: ['clock-clusters'] })).rejects.toThrow(/minimize\.clock/);
});
