import { behavior, crash, defineSystem, minimize, recheck, restart, search, send, type System } from 'culprit';
import type { Minimized } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { ticking, type Program } from '../twins/ticking.ts';

/** Violations in black boxes, from the hunt to the smallest number of inputs. */

const typeOf = (message: unknown): string => (message as { type: string }).type;

/** Counts answers. */
const client = behavior({
  start: () => ({ asked: 0, answers: 0 }),
  receive(state, message: { type: string }, ctx) {
    if (message.type === 'answer') state.answers += 1;
    if (message.type !== 'go') return;
    state.asked += 1;
    ctx.send('server', { type: 'ask' });
  },
});

const systemOf = (server: Program, inputs: readonly (readonly [to: 'client' | 'server', type: string])[]): System =>
  defineSystem({
    processes: { server: ticking(server), client },
    pace: { roundMs: 50, quietMs: 200 },
    workload: inputs.map(([to, type]) => send(to, { type })),
    invariants: {
      oneAnswer: (world) => {
        const { asked, answers } = world.process('client').state ?? { asked: 0, answers: 0 };
        return answers <= asked || `${answers} answers to ${asked} questions`;
      },
    },
  });

async function found(system: System, executions = 20): Promise<Trace> {
  const { findings } = await search(system, { executions });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace as Trace;
}

/** The inputs of an execution: all that the environment sends. */
const inputsIn = ({ events }: Trace): string[] =>
  events.flatMap((line) => (line.kind === 'send' ? [`${line.to} ${typeOf(line.message)}`] : []));

async function minimizedFrom(system: System): Promise<Minimized> {
  return minimize(system, await found(system));
}

test('the first migration crashes the controller: one input is enough', async () => {
  const system = systemOf(
    {
      receive(box, message) {
        if (typeOf(message) === 'ping') box.after(5, () => box.send('client', { type: 'pong' }));
        if (typeOf(message) === 'migrate') box.after(10, () => box.exit(1));
      },
    },
    [...Array.from({ length: 8 }, () => ['server', 'ping'] as const), ['server', 'migrate'], ['server', 'ping']],
  );
  const { trace, certificate, reproduction } = await minimizedFrom(system);
  expect(inputsIn(trace)).toEqual(['server migrate']);
  expect(certificate).toBe('1-minimal up to the stated error');
  expect(reproduction.rate).toBe(1);
});

test('a long computation: every input is needed', async () => {
  let sum = 0;
  const system = systemOf(
    {
      start: () => (sum = 0),
      receive(box, message) {
        if (typeOf(message) !== 'add') return;
        sum += 1;
        if (sum === 6) box.after(5, () => box.send('client', { type: 'answer' }));
      },
    },
    Array.from({ length: 6 }, () => ['server', 'add'] as const),
  );
  const { trace } = await minimizedFrom(system);
  expect(inputsIn(trace)).toEqual(Array.from({ length: 6 }, () => 'server add'));
});

/** A poke takes effect 30 ms later; a question that comes after that is answered twice, in so many sessions of a hundred. */
const poked = (percent: number, sessions: boolean[] = []): Program => ({
  start(box) {
    const isBad = box.dice.below(100) < percent;
    sessions.push(isBad);
    box.observe('isBad', isBad);
  },
  receive(box, message) {
    if (typeOf(message) === 'poke') box.after(30, () => box.observe('poked', true));
    if (typeOf(message) !== 'ask') return;
    box.after(5, () => {
      box.send('client', { type: 'answer' });
      if (box.seen['poked'] === true && box.seen['isBad'] === true)
        box.after(20, () => box.send('client', { type: 'answer' }));
    });
  },
});

const pokes = [
  ['client', 'go'],
  ['server', 'noise'],
  ['server', 'poke'],
  ['server', 'noise'],
  ['client', 'go'],
  ['client', 'go'],
] as const;

test('a violation by an event that appears late is minimized to its optimum', async () => {
  const { trace, reproduction } = await minimizedFrom(systemOf(poked(100), pokes));
  expect(inputsIn(trace)).toEqual(['server poke', 'client go']);
  expect(reproduction.rate).toBe(1);
  // The inputs keep their distance from one another, and no more.
  const [first, second] = trace.events.filter(({ kind }) => kind === 'send').map(({ atMs = 0 }) => atMs);
  expect((second ?? 0) - (first ?? 0)).toBeLessThan(200);
});

test('a violation that happens in some sessions only is minimized, and reported with its rate', async () => {
  const sessions: boolean[] = [];
  const system = systemOf(poked(60, sessions), pokes);
  const { trace, reproduction, certificate } = await minimizedFrom(system);
  expect(inputsIn(trace)).toEqual(['server poke', 'client go']);
  expect(certificate).toBe('1-minimal up to the stated error');
  expect(reproduction.rate).toBeGreaterThan(0.3);
  expect(reproduction.rate).toBeLessThan(0.9);

  const sampled = await recheck(system, trace, { replays: 200 });
  if (sampled.answer !== 'sampled') throw new Error(sampled.answer);
  expect(sampled.reproduced).toBe(sessions.slice(-200).filter(Boolean).length);
  const [low, high] = sampled.interval;
  expect(sampled.replays).toBe(200);
  expect(low).toBeLessThan(0.6);
  expect(high).toBeGreaterThan(0.6);
  expect(high - low).toBeLessThan(0.15);
  // No fault is part of it, so that the control is the sample itself.
  expect(sampled.control).toEqual({ replays: 200, reproduced: sampled.reproduced, unknown: 0 });
});

test('a replay without the faults of the recording shows whether they matter', async () => {
  const server = ticking({
    receive(box, message) {
      if (typeOf(message) !== 'ask') return;
      box.after(5, () => box.send('client', { type: 'answer' }));
      if (box.lives > 1) box.after(20, () => box.send('client', { type: 'answer' }));
    },
  });
  const system = defineSystem({
    processes: { server, client },
    pace: { roundMs: 50, quietMs: 200 },
    workload: [crash('server'), restart('server'), send('client', { type: 'go' })],
    invariants: {
      oneAnswer: (world) => {
        const { asked, answers } = world.process('client').state ?? { asked: 0, answers: 0 };
        return answers <= asked;
      },
    },
  });
  const sampled = await recheck(system, await found(system), { replays: 10 });
  expect(sampled).toMatchObject({ answer: 'sampled', reproduced: 10, control: { replays: 10, reproduced: 0 } });
});

test('a violation that never happens again is not minimized', async () => {
  let isFirst = true;
  const system = systemOf(
    {
      start(box) {
        if (isFirst) box.after(5, () => box.send('client', { type: 'answer' }));
        isFirst = false;
      },
    },
    [],
  );
  const trace = await found(system);
  expect(await recheck(system, trace)).toMatchObject({ answer: 'sampled', reproduced: 0, replays: 10 });
  await expect(minimize(system, trace)).rejects.toThrow('the violation did not happen in');
});
