import { behavior, defineSystem, minimize, search, send } from 'culprit';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { brief } from './brief.ts';

const phases = ['first', 'second', 'third', 'fourth', 'last'] as const;

interface State {
  phase: (typeof phases)[number];
  isOver: boolean;
}

/** Goes through its phases step by step; a timer leads to the last one at once. */
const worker = behavior<State, 'step' | 'end'>({
  start(ctx) {
    ctx.setTimer('leap', 10);
    return { phase: 'first', isOver: false };
  },
  receive(state, message) {
    if (message === 'end') state.isOver = state.phase === 'last';
    else state.phase = phases[phases.indexOf(state.phase) + 1] ?? 'last';
  },
  timer(state) {
    state.phase = 'last';
  },
});

const system = defineSystem({
  processes: { worker },
  transport: 'unordered',
  workload: [...Array.from({ length: 4 }, () => send('worker', 'step' as const)), send('worker', 'end' as const)],
  invariants: { goesOn: (world) => world.process('worker').state?.isOver !== true },
});

async function stepByStep(): Promise<Trace> {
  // Timers are never chosen.
  const { findings } = await search(system, { strategy: 'random', weights: { fire: 0 }, executions: 1_000 });
  return findings[0]?.trace as Trace;
}

const happening = (trace: Trace): string[] => brief(trace).filter((event) => !event.startsWith('send'));

test('an event that did not happen replaces the steps with the same result', async () => {
  const trace = await stepByStep();
  const step = 'worker gets "step" from environment';
  expect(happening(trace)).toEqual(['start worker', step, step, step, step, 'worker gets "end" from environment']);
  const { trace: shorter, stages } = await minimize(system, trace, { passes: ['shortcuts:type'] });
  expect(happening(shorter)).toEqual(['start worker', 'worker leap', 'worker gets "end" from environment']);
  expect(stages.map(({ pass, events }) => [pass, events])).toEqual([
    ['verify', 11],
    ['shortcuts:type', 8],
    ['shortcuts:type', 8],
  ]);
});

test('is deterministic: no other pass finds it', async () => {
  const passes = ['closures:type', 'internals:type', 'single:type'] as const;
  const { trace } = await minimize(system, await stepByStep(), { passes });
  expect(happening(trace)).toContain('worker gets "step" from environment');
  expect(happening(trace)).not.toContain('worker leap');
});

test('a shorter execution is not called minimal until it has been minimized itself', async () => {
  const [trace, passes] = [await stepByStep(), ['single:place', 'single:type']] as const;
  const { schedules, certificate: before } = await minimize(system, trace, { passes, proofStates: 0 });
  expect(before).toBe('1-minimal');
  // One for the result of the search, and one to begin leaving something out of it.
  const { trace: shorter, certificate } = await minimize(system, trace, { passes, schedules: schedules + 2 });
  expect(happening(shorter)).toEqual(['start worker', 'worker leap', 'worker gets "end" from environment']);
  expect(certificate).toBeUndefined();
});
