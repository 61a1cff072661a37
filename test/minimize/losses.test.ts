import { behavior, defineSystem, minimize, type System } from 'culprit';
import type { Faults } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { hex } from 'culprit/trace';
import { expect, test } from 'vitest';
import { found } from '../found.ts';
import { brief } from './brief.ts';

const counter = behavior<{ count: number }, number>({
  start(ctx) {
    ctx.repeatTimer('tick', 10);
    return { count: 0 };
  },
  receive() {},
  timer(state, _tick, ctx) {
    state.count += 1;
    ctx.send('reader', state.count);
  },
});

const reader = behavior<{ last: number; wrong: boolean }, number>({
  start: () => ({ last: 0, wrong: false }),
  receive(state, number) {
    state.wrong ||= number !== state.last + 1;
    state.last = number;
  },
});

const counting = (more: { readonly faults: Partial<Faults>; readonly byAction?: boolean }): System =>
  defineSystem({
    processes: { counter, reader },
    faults: more.faults,
    // Loses the first message that it sees.
    actions: {
      lose: ({ pending }) =>
        pending
          .filter(({ kind }) => kind === 'deliver')
          .slice(0, 1)
          .map((message): External => ({ kind: 'lose', target: hex(message) })),
    },
    workload: more.byAction === true ? [{ kind: 'act', action: 'lose' }] : [],
    invariants: { inOrder: (world) => world.process('reader').state?.wrong !== true || 'a number is missing' },
  });

test('a loss is applied again, to the message that exists now', async () => {
  const system = counting({ faults: { losses: 1 } });
  const trace = await found(system, { strategy: 'random', executions: 200, seed: 3 });
  const { trace: smallest, certificate, stages } = await minimize(system, trace);
  expect(trace.events.length).toBe(20);
  expect(brief(smallest)).toEqual([
    'start counter',
    'start reader',
    'counter tick',
    'lose',
    'counter tick',
    'reader gets 2 from counter',
  ]);
  expect(stages.at(-1)?.externals).toBe(3);
  expect(certificate).toBe('shortest');
});

test('and so is a copy', async () => {
  const system = counting({ faults: { duplicates: 1 } });
  const trace = await found(system, { strategy: 'random', executions: 200 });
  const { trace: smallest } = await minimize(system, trace);
  expect(trace.events.length).toBe(25);
  expect(brief(smallest)).toEqual([
    'start counter',
    'start reader',
    'counter tick',
    'duplicate',
    'reader gets 1 from counter',
    'reader gets 1 from counter',
  ]);
});

test('a loss by an action happens once', async () => {
  const system = counting({ faults: { losses: 1 }, byAction: true });
  const trace = await found(system, { strategy: 'random', executions: 200 });
  const { trace: smallest, stages } = await minimize(system, trace);
  expect(trace.events.length).toBe(7);
  expect(brief(smallest)).toEqual([
    'start counter',
    'start reader',
    'counter tick',
    'act lose',
    'lose',
    'counter tick',
    'reader gets 2 from counter',
  ]);
  expect(stages.at(-1)?.externals).toBe(3);
});
