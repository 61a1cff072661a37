import { act, behavior, crash, cut, defineSystem, heal, minimize, restart, search, send, type System } from 'culprit';
import type { Definition } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';
import { brief } from './brief.ts';

type Message = { type: 'add'; n: number; id?: number };

/** Adds up its messages. */
const adder = behavior<{ sum: number; lives: number }, Message>({
  start: (ctx) => ({ sum: 0, lives: ctx.restarts }),
  receive(state, { n }) {
    state.sum += n;
  },
});

type Adders = { a: typeof adder; b: typeof adder };

const adders = (definition: Partial<Definition<Adders>>): System =>
  defineSystem({ processes: { a: adder, b: adder }, ...definition });

const add = (to: string, n: number) => send(to, { type: 'add', n });
const sent = (to: string, n: number): string => `send {"n":${n},"type":"add"} to ${to}`;
const got = (process: string, n: number): string => `${process} gets {"n":${n},"type":"add"} from environment`;

/** Without the proof of the shortest, which may leave out more than passes do. */
const left = async (system: System, options = {}): Promise<string[]> =>
  brief((await minimize(system, await found(system, { executions: 500 }), { proofStates: 0, ...options })).trace);

describe('externals are removed together', () => {
  test('a crash with its restart', async () => {
    const system = adders({
      workload: [crash('a'), restart('a'), crash('b'), restart('b'), add('a', 5)],
      invariants: { five: (world) => world.process('a').state?.sum !== 5 || world.process('b').restarts === 0 },
    });
    expect(await left(system, { passes: ['externals'] })).toEqual([
      'start a',
      'start b',
      'crash b',
      'restart b',
      sent('a', 5),
      got('a', 5),
    ]);
  });

  test('a cut with its heal', async () => {
    const system = adders({
      workload: [cut('a', 'b'), add('a', 5), heal('a', 'b')],
      invariants: { five: (world) => world.process('a').state?.sum !== 5 || world.cutLinks.length > 0 },
    });
    const trace = await found(system, { executions: 500 });
    expect(brief(trace)).toEqual(expect.arrayContaining(['cut a>b b>a', 'heal a>b b>a']));
    // Without the heal alone, the link is still cut.
    const { trace: smaller, schedules } = await minimize(system, trace, { proofStates: 0, passes: ['externals'] });
    expect(brief(smaller)).toEqual(['start a', sent('a', 5), got('a', 5)]);
    expect(schedules).toBe(10);
  });

  test('the atoms of the system', async () => {
    const workload = [add('a', 1), add('b', 1), add('a', 2), add('b', 2)];
    const invariants: Definition<Adders>['invariants'] = { two: (world) => world.process('a').state?.sum !== 2 };
    const passes = ['externals'];
    const alone = adders({ workload, invariants });
    expect((await left(alone, { passes })).filter((words) => words.startsWith('send'))).toEqual([sent('a', 2)]);
    const together = adders({
      workload,
      invariants,
      minimize: { atom: (external) => (external.kind === 'send' ? `round ${external.message.n}` : undefined) },
    });
    expect((await left(together, { passes })).filter((words) => words.startsWith('send'))).toEqual([
      sent('a', 2),
      sent('b', 2),
    ]);
  });
});

test('events that must be kept are kept', async () => {
  const invariants: Definition<Adders>['invariants'] = { two: (world) => world.process('a').state?.sum !== 2 };
  const workload = [add('b', 1), add('a', 2)];
  expect(await left(adders({ workload, invariants }))).toEqual(['start a', sent('a', 2), got('a', 2)]);
  const kept = adders({ workload, invariants, minimize: { keep: (event) => event.kind === 'send' } });
  expect(await left(kept)).toEqual(['start a', sent('b', 1), sent('a', 2), got('a', 2)]);
});

test('an impossible candidate counts as passing', async () => {
  const system = adders({
    actions: { failover: () => [crash('a'), restart('a')] },
    workload: [add('b', 1), act('failover')],
    invariants: { lives: (world) => world.process('a').state?.lives !== 1 },
  });
  const { trace, certificate } = await minimize(system, await found(system), { proofStates: 0 });
  // A process that has not started cannot crash.
  expect(brief(trace)).toEqual(['start a', 'act failover', 'crash a', 'restart a']);
  expect(certificate).toBe('1-minimal');
});

/** Answers contain the number of questions, so that each answer differs if one question less was asked. */
const counting = (hints: Definition<{ s: typeof server; c: typeof client }>['minimize']): System =>
  defineSystem({
    processes: { s: server, c: client },
    workload: [send('c', { type: 'ask', text: 'x' }), send('c', { type: 'ask', text: 'y' })],
    ...(hints === undefined ? {} : { minimize: hints }),
    invariants: { unheard: (world) => world.up(client).every(({ state }) => state.heard !== 'y') },
  });
type Talk = { type: 'ask' | 'question'; text: string } | { type: 'answer'; text: string; id: number; at: string };
const server = behavior<{ asked: number }, Talk>({
  start: () => ({ asked: 0 }),
  receive(state, { text }, ctx) {
    state.asked += 1;
    ctx.reply({ type: 'answer', text, id: state.asked, at: `${state.asked} o'clock` });
  },
});
const client = behavior<{ heard: string }, Talk>({
  start: () => ({ heard: '' }),
  receive(state, message, ctx) {
    if (message.type === 'ask') ctx.send('s', { type: 'question', text: message.text });
    if (message.type === 'answer') state.heard = message.text;
  },
});

describe('one message replaces another with the same contents', () => {
  const passes = ['externals:content', 'internals:content'] as const;
  const events = async (hints: Parameters<typeof counting>[0]): Promise<number> => {
    const system = counting(hints);
    const { findings } = await search(system, { executions: 100, strategy: 'random' });
    const trace = findings[0]?.trace as Trace;
    expect(trace.events.filter(({ kind }) => kind === 'send')).toHaveLength(2);
    return (await minimize(system, trace, { passes, proofStates: 0 })).trace.events.length;
  };

  test('except for masked fields', async () => {
    const all = await events(undefined);
    expect(all).toBeGreaterThan(6);
    expect(await events({ mask: ['id'] })).toBe(all);
    expect(await events({ mask: ['id', 'at'] })).toBe(6);
  });

  test('or with the same fingerprint', async () => {
    expect(await events({ fingerprint: ({ type, text }) => ({ type, text }) })).toBe(6);
  });
});

test('a bug is minimized, and another that is met on the way is kept apart', async () => {
  // Without the first message, the second triggers the other bug.
  const system = adders({
    workload: [add('a', 1), add('a', 2)],
    invariants: {
      three: (world) => world.process('a').state?.sum !== 3,
      two: (world) => world.process('a').state?.sum !== 2,
    },
  });
  const { findings } = await search(system, { executions: 100, violations: 2, strategy: 'random' });
  const trace = findings
    .map((finding) => finding.trace)
    .find(({ verdict }) => 'oracle' in verdict && verdict.oracle === 'three') as Trace;
  const { trace: smaller, others } = await minimize(system, trace);
  expect(smaller.verdict).toMatchObject({ oracle: 'three' });
  expect(smaller.events).toHaveLength(5);
  expect(others.map(({ verdict, events }) => [verdict, events.length])).toMatchObject([[{ oracle: 'two' }, 4]]);
});
