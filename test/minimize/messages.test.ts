import { act, behavior, defineSystem, minimize, send, type Oracle, type System } from 'culprit';
import type { Definition } from 'culprit/kernel';
import { hex, type External } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';
import { brief } from './brief.ts';

/** Three messages; the receiver expects the first one first and each once. */
const sender = behavior<object, string>({
  start(ctx) {
    for (const letter of ['x', 'y', 'z']) ctx.send('receiver', letter);
    return {};
  },
  receive() {},
});

const receiver = behavior<{ got: string }, string>({
  start: () => ({ got: '' }),
  receive(state, letter) {
    state.got += letter;
  },
});

const mail = (
  wrong: RegExp,
  more: Partial<Definition<{ receiver: typeof receiver; sender: typeof sender }>> = {},
): System =>
  defineSystem({
    processes: { receiver, sender },
    invariants: {
      letters: (world) => world.up(receiver).every(({ state }) => !wrong.test(state.got)) || 'wrong letters',
    },
    ...more,
  });

describe('a fault of a message', () => {
  test('is kept if the violation needs it: a loss', async () => {
    const system = mail(/^y/, { faults: { losses: 2 } });
    const { trace, certificate } = await minimize(system, await found(system, { executions: 2_000 }));
    expect(brief(trace)).toEqual(['start receiver', 'start sender', 'lose', 'receiver gets "y" from sender']);
    expect(certificate).toBeDefined();
  });

  test('is kept if the violation needs it: a copy', async () => {
    const system = mail(/x.*x/, { faults: { duplicates: 2 }, transport: 'unordered' });
    const { trace } = await minimize(system, await found(system, { executions: 2_000 }));
    expect(brief(trace)).toEqual([
      'start receiver',
      'start sender',
      'duplicate',
      'receiver gets "x" from sender',
      'receiver gets "x" from sender',
    ]);
  });

  test('is dropped if it does not', async () => {
    const system = mail(/z/, { faults: { duplicates: 2, losses: 1 }, transport: 'unordered' });
    const trace = await found(system, { executions: 1, seed: 138 });
    expect(brief(trace)).toEqual(expect.arrayContaining(['duplicate']));
    const minimized = await minimize(system, trace);
    expect(brief(minimized.trace)).toEqual(['start receiver', 'start sender', 'receiver gets "z" from sender']);
  });

  test('stays with the action that caused it', async () => {
    const system = mail(/^y/, {
      faults: { losses: 2 },
      workload: [act('loseOne')],
      actions: {
        loseOne({ pending }): External[] {
          const message = pending.find(({ kind }) => kind === 'deliver');
          return message === undefined ? [] : [{ kind: 'lose', target: hex(message) }];
        },
      },
    });
    const trace = await found(system, { executions: 2_000, strategy: 'random' });
    const { trace: smaller, certificate } = await minimize(system, trace);
    expect(brief(smaller)).toEqual([
      'start receiver',
      'start sender',
      'act loseOne',
      'lose',
      'receiver gets "y" from sender',
    ]);
    expect(certificate).toBeDefined();
  });
});

/** Three letters at once, of which one is wrong. */
const posting = (oracles: Readonly<Record<string, Oracle>> = {}): System =>
  mail(/[qr].*[qr]/, {
    oracles,
    workload: [send('receiver', 'x'), act('post'), send('receiver', 'q'), send('receiver', 'y')],
    actions: { post: () => ['x', 'r', 'z'].map((letter) => send('receiver', letter)) },
  });

test('schedules share their prefix, but no part of the consequences of an action', async () => {
  const trace = await found(posting(), { executions: 100, strategy: 'random' });
  // With an oracle that may remember, every schedule is executed from the start.
  const remembering: Oracle = { judge: () => ({ kind: 'holds' }), begin: () => ({ judge: () => ({ kind: 'holds' }) }) };
  for (const pass of ['single:place', 'single:type', 'internals:type', 'externals:type'] as const) {
    const options = { passes: [pass], proofStates: 0 };
    const [shared, alone] = [
      await minimize(posting(), trace, options),
      await minimize(posting({ remembering }), trace, options),
    ];
    expect([pass, shared.schedules, brief(shared.trace)]).toEqual([pass, alone.schedules, brief(alone.trace)]);
  }
});
