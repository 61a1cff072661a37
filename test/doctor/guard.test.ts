import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { behavior, defineSystem, NotDeterministic, replay, search, send, type System } from 'culprit';
import { ReplayDiverged, SearchEnded } from 'culprit/kernel';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import clock from './leaky/clock.system.ts';
import closure from './leaky/closure.system.ts';
import counter from './leaky/counter.system.ts';
import field from './leaky/field.system.ts';
import invariant from './leaky/invariant.system.ts';
import memory from './leaky/memory.system.ts';
import message from './leaky/message.system.ts';
import order from './leaky/order.system.ts';
import packaged from './leaky/package.system.ts';
import random from './leaky/random.system.ts';
import timer from './leaky/timer.system.ts';

async function complaint(system: System): Promise<NotDeterministic> {
  const error = await search(system, { executions: 20, module: 'x.system.ts' }).catch((thrown: unknown) => thrown);
  if (error instanceof SearchEnded && error.cause instanceof NotDeterministic) return error.cause;
  throw error;
}

/** Without the values, which differ every time. */
const timeless = (text: string): string =>
  text.replace(/ is [^,]*?, and was .*? in the recording/, ' is …, and was … in the recording');

const here = 'test/doctor/leaky';
const state =
  'state that outlives executions, in a variable of a module or in a closure (or a function like Date.now kept there)';

test.each<[string, System, string]>([
  [
    'a random number in a state',
    random,
    `event 1: dice (start): dice.eyes is …, and was … in the recording. Likely leak: Math.random at ${here}/random.system.ts:4, called in event 1 (dice, start).`,
  ],
  [
    'the clock, called by a function that a handler calls',
    clock,
    `event 3: log (deliver): log.at.0 is …, and was … in the recording. Likely leak: Date.now at ${here}/clock.system.ts:7, called in event 3 (log, deliver).`,
  ],
  [
    'an id in a message, seen when it arrives',
    message,
    `event 3: server (deliver): message.id is …, and was … in the recording. Likely leak: crypto.randomUUID at ${here}/message.system.ts:7, called in event 1 (client, start).`,
  ],
  [
    'a real timer that a handler awaits',
    timer,
    `sleeper started a real timer (setTimeout) in event 3 and waits for it: culprit does not control when it ends. Likely leak: setTimeout at ${here}/timer.system.ts:6, called in event 3 (sleeper, deliver).`,
  ],
  [
    'what depends on the machine',
    memory,
    `event 1: greedy (start): greedy.used is …, and was … in the recording. Likely leak: process.memoryUsage at ${here}/memory.system.ts:8, called in event 1 (greedy, start).`,
  ],
  [
    'an invariant that goes by the clock',
    invariant,
    `event 1: at the end: the verdict is …, and was … in the recording. Likely leak: performance.now at ${here}/invariant.system.ts:8, called by the invariant moody, after event 1.`,
  ],
  [
    'a variable of a module',
    counter,
    `event 1: counter (start): counter.number is …, and was … in the recording. Likely leak: ${state}.`,
  ],
  [
    'a variable in a closure',
    closure,
    `event 3: numbers (deliver): numbers.given.0 is …, and was … in the recording. Likely leak: ${state}.`,
  ],
  [
    'what a package took from Date before anybody watched, as far as it can',
    packaged,
    `event 1: dice (start): dice.eyes is …, and was … in the recording. Likely leak: ${state}.`,
  ],
  [
    'a field of a behavior',
    field,
    `event 3: numbers (deliver): numbers.given.0 is …, and was … in the recording. Likely leak: the field next of the behavior of numbers, which outlives executions.`,
  ],
  [
    'the order of a Set that is kept',
    order,
    `event 1: table (start): table.order.0 is …, and was … in the recording. They are the same values in another order. Likely leak: ${state}.`,
  ],
])('a hunt names %s', async (_what, system, expected) => {
  expect(timeless((await complaint(system)).message)).toBe(expected);
});

test('both values and the remedy are in the message', async () => {
  const { message: said, next, leaks } = await complaint(counter);
  expect(said).toMatch(/^event 1: counter \(start\): counter\.number is (\d+), and was (\d+) in the recording\./);
  expect(next).toBe(
    'Keep it in the state of a process: what `start` returns. To diagnose it, run: culprit doctor x.system.ts',
  );
  expect(leaks.map(({ kind }) => kind)).toEqual(['state']);
  const timers = await complaint(timer);
  expect(timers.next).toBe(
    'Wait with ctx.setTimer or ctx.sleep (in a class: io.setTimeout or io.sleep). To diagnose it, run: culprit doctor x.system.ts',
  );
  expect(timers.leaks).toEqual([
    { kind: 'timer', name: 'setTimeout', at: `${here}/timer.system.ts:6`, during: 'in event 3 (sleeper, deliver)' },
  ]);
});

test('if an event cannot happen again, the first difference that led there is named', async () => {
  let started = 0;
  const fickle = behavior<{ number: number }, 'go' | 'on'>({
    start: () => ({ number: ++started }),
    receive({ number }, told, ctx) {
      if (told === 'go' && number % 2 === 1) ctx.send(ctx.self, 'on');
    },
  });
  const { message: said, cause } = await complaint(
    defineSystem({ processes: { fickle }, workload: [send('fickle', 'go')] }),
  );
  expect(cause).toMatchObject({
    event: 4,
    message: 'event 4: the recording has fickle receiving "on" from fickle, but nothing can happen.',
  });
  expect(said).toMatch(
    /^event 1: fickle \(start\): fickle\.number is 4, and was 3 in the recording\. Likely leak: state /,
  );
});

test('the awaited call is blamed for waiting, not other calls', async () => {
  const sleeper = behavior<{ at: number }, never>({
    async start() {
      const at = Date.now();
      await new Promise((wake) => setTimeout(wake, 1));
      return { at };
    },
    receive() {},
  });
  const { leaks } = await complaint(defineSystem({ processes: { sleeper } }));
  expect(leaks.map(({ name }) => name)).toEqual(['setTimeout']);
});

test('a call with equal results is not blamed for a difference', async () => {
  let started = 0;
  const counting = behavior({
    start: () => ({ host: hostname(), number: ++started }),
    receive() {},
  });
  const { leaks } = await complaint(defineSystem({ processes: { counting }, invariants: {} }));
  expect(leaks.map(({ kind }) => kind)).toEqual(['state']);
});

test('a replay distinguishes a changed system from a nondeterministic one', async () => {
  const trace = await found(lock);
  const changed = { ...trace, header: { ...trace.header, parameters: { checksOwner: true } } };
  const error = await replay(lock, changed).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ReplayDiverged);
  expect(error).toMatchObject({
    event: 9,
    next: 'Re-execution gives the same result every time, so the system has probably changed. Hunt again, or delete the trace.',
  });
});

test('a replay of a system that has become leaky names the leak', async () => {
  let leaky = false;
  const dice = behavior({ start: () => ({ eyes: leaky ? Math.random() : 1 }), receive() {} });
  const trace = await found(
    defineSystem({ processes: { dice }, invariants: { none: (world) => world.up(dice).length === 0 } }),
  );
  leaky = true;
  const again = defineSystem({ processes: { dice }, invariants: { none: (world) => world.up(dice).length === 0 } });
  const error = await replay(again, trace).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotDeterministic);
  expect(error).toMatchObject({ leaks: [{ kind: 'chance', name: 'Math.random', during: 'in event 1 (dice, start)' }] });
});

test('a handler that awaits its own promise is no leak', async () => {
  const waiting = behavior<object, never>({ start: () => new Promise<object>(() => {}), receive() {} });
  await expect(search(defineSystem({ processes: { waiting } }))).rejects.toThrow(
    /^seed 0: waiting has been waiting since event 1, and no event that culprit controls is left\.$/,
  );
});
