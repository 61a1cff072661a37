import { behavior, defineSystem, minimize, recheck, search, send, type System } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { ticking, tickingHost, type Program } from '../twins/ticking.ts';

/** Processes that act by themselves, whose every message waits for us: deliveries are dropped as in a controlled system. */

interface Message {
  readonly type: string;
}

/** Answers each question at once, with two notes besides. */
const chatty: Program = {
  receive(box, message) {
    for (const type of ['note', 'answer', 'note']) box.send('client', { type, to: (message as Message).type });
  },
};

const oursOf = (program: Program): AnyBehavior => ({
  ...ticking(program),
  host: { ...tickingHost, messagesAreOurs: true },
});

const client = behavior<{ answers: number; notes: number }, Message>({
  start: () => ({ answers: 0, notes: 0 }),
  receive(state, { type }) {
    if (type === 'answer') state.answers += 1;
    else state.notes += 1;
  },
});

const systemOf = (server: AnyBehavior): System =>
  defineSystem({
    processes: { server, client },
    // Notes and answers of one server may overtake one another.
    transport: { order: 'unordered' },
    pace: { roundMs: 20, quietMs: 100 },
    workload: ['a', 'b', 'c'].map((type) => send('server', { type })),
    invariants: { fewAnswers: (world) => (world.process('client').state?.answers ?? 0) < 2 },
  });

async function found(system: System): Promise<Trace> {
  const { findings } = await search(system, { executions: 5, control: false });
  return findings[0]?.trace as Trace;
}

const deliveriesOf = ({ events }: Trace): number =>
  events.filter((line) => line.kind === 'deliver' && line.process === 'client').length;

test('where every message is ours, deliveries that do not matter are dropped, and the result replays', async () => {
  const system = systemOf(oursOf(chatty));
  const { trace, stages, certificate } = await minimize(system, await found(system));
  expect(stages.map(({ pass }) => pass)).toContain('internals-in-rounds:type');
  expect(deliveriesOf(trace)).toBe(2);
  expect(certificate).toBe('1-minimal up to the stated error');
  expect(await recheck(system, trace, { replays: 5 })).toMatchObject({ reproduced: 5 });
});

test('otherwise what appears happens, and no delivery is ours to drop', async () => {
  const system = systemOf(ticking(chatty));
  const { stages } = await minimize(system, await found(system));
  expect(stages.map(({ pass }) => pass)).not.toContain('internals-in-rounds:type');
});

test('of two messages that count as equal, the one that is left out does not stand in for the other', async () => {
  const twice: Program = {
    receive(box) {
      box.send('client', { type: 'm', n: 1 });
      box.after(30, () => box.send('client', { type: 'm', n: 2 }));
    },
  };
  const latest = behavior<{ n: number }, { n: number }>({
    start: () => ({ n: 0 }),
    receive(state, { n }) {
      state.n = n;
    },
  });
  const system = defineSystem({
    processes: { server: oursOf(twice), client: latest },
    transport: { order: 'unordered' },
    pace: { roundMs: 20, quietMs: 100 },
    minimize: { mask: ['n'] },
    workload: [send('server', { type: 'go' })],
    invariants: { one: (world) => world.process('client').state?.n !== 2 },
  });
  const original = await found(system);
  expect(deliveriesOf(original)).toBe(2);
  const { trace, certificate } = await minimize(system, original);
  expect(deliveriesOf(trace)).toBe(1);
  expect(certificate).toBe('1-minimal up to the stated error');
});

test('an input is left out although the answer to another one is an error then', async () => {
  const store: Program = {
    receive(box, message) {
      const { type } = message as Message;
      if (type === 'put') box.observe('value', 1);
      else box.send('client', box.seen['value'] === undefined ? { type: 'none' } : { type: 'value', value: 1 });
    },
  };
  const asking = behavior<{ answers: number }, Message>({
    start: () => ({ answers: 0 }),
    receive(state, { type }, ctx) {
      if (type === 'ask') ctx.send('server', { type: 'get' });
      else state.answers += 1;
    },
  });
  const system = defineSystem({
    processes: { server: oursOf(store), client: asking },
    pace: { roundMs: 20, quietMs: 100 },
    workload: [send('server', { type: 'put' }), send('client', { type: 'ask' })],
    invariants: { silent: (world) => world.process('client').state?.answers !== 1 },
  });
  const { trace } = await minimize(system, await found(system));
  expect(trace.events.flatMap((line) => (line.kind === 'send' ? [line.to] : []))).toEqual(['client']);
});
