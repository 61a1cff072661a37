import { behavior, cut, defineSystem, heal, minimize, send, untilQuiet, type System } from 'culprit';
import type { Faults, WorkloadItem } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';
import { brief } from './brief.ts';

/** Sends the next number to all others. */
const teller = behavior<{ count: number }, 'go' | number>({
  start: () => ({ count: 0 }),
  receive(state, _go, ctx) {
    state.count += 1;
    for (const peer of ctx.peers) ctx.send(peer, state.count);
  },
});

const listener = behavior<{ last: number; missed: boolean }, 'go' | number>({
  start: () => ({ last: 0, missed: false }),
  receive(state, number) {
    if (number === 'go') return;
    state.missed ||= number !== state.last + 1;
    state.last = number;
  },
});

/** Violated if all of these missed something. */
const telling = (
  workload: readonly WorkloadItem<'go' | number>[],
  faults: Partial<Faults>,
  minds: readonly ('b' | 'c')[] = ['c'],
): System =>
  defineSystem({
    processes: { a: teller, b: listener, c: listener, d: listener },
    transport: { onCut: 'drop' },
    faults,
    workload,
    invariants: {
      all: (world) =>
        !minds.every((name) => world.process(name).state?.missed) || `${minds.join(' and ')} missed a number`,
    },
  });

const interrupted = (from: External<never>, to: External<never>): WorkloadItem<'go' | number>[] => [
  from,
  untilQuiet(),
  send('a', 'go'),
  untilQuiet(),
  to,
  untilQuiet(),
  send('a', 'go'),
];

/** The result of this pass alone on a failing execution. */
async function weakest(system: System): Promise<string[]> {
  const trace = await found(system, { strategy: 'round-robin', executions: 20 });
  return brief((await minimize(system, trace, { passes: ['faults'] })).trace);
}

const everybodyStarts = ['start a', 'start b', 'start c', 'start d'];
const goDelivered = ['send "go" to a', 'a gets "go" from environment'];

describe('a cut', () => {
  test('of many links becomes one of the relevant links, and so does its heal', async () => {
    const system = telling(interrupted(cut('a', ['b', 'c', 'd']), heal('a', ['b', 'c', 'd'])), {});
    const trace = await found(system, { strategy: 'random', executions: 20 });
    const { trace: smallest, certificate } = await minimize(system, trace);
    expect(brief(smallest)).toEqual([
      'start a',
      'start c',
      'cut a>c',
      ...goDelivered,
      'heal a>c',
      ...goDelivered,
      'c gets 2 from a',
    ]);
    expect(certificate).toBe('shortest');
  });

  test('of all links, too', async () => {
    const system = telling(interrupted(cut([], []), heal()), {});
    expect((await weakest(system)).filter((line) => /^(cut|heal)/.test(line))).toEqual(['cut a>c', 'heal']);
  });

  test('becomes the loss of the message that it affected, if messages may be lost', async () => {
    const system = telling(interrupted(cut('a', ['b', 'c', 'd']), heal('a', ['b', 'c', 'd'])), { losses: 1 });
    expect(await weakest(system)).toEqual([
      ...everybodyStarts,
      ...goDelivered,
      'lose',
      ...goDelivered,
      'b gets 1 from a',
      'c gets 2 from a',
    ]);
  });

  test('that must be kept stays unchanged', async () => {
    const weak = telling(interrupted(cut('a', ['b', 'c', 'd']), heal()), { losses: 1 });
    const system = defineSystem({ ...weak.define({}), minimize: { keep: ({ kind }) => kind === 'cut' } });
    const trace = await found(system, { strategy: 'round-robin', executions: 20 });
    expect(await weakest(system)).toEqual(brief(trace));
  });

  test('leaves the heal to another cut that it heals, too', async () => {
    const both = [cut('a', 'b'), untilQuiet(), send('a', 'go'), untilQuiet(), ...interrupted(cut('a', 'c'), heal())];
    const system = telling(both, { losses: 1 }, ['b', 'c']);
    expect(await weakest(system)).toEqual([
      ...everybodyStarts,
      ...goDelivered,
      'lose',
      'c gets 1 from a',
      'd gets 1 from a',
      ...goDelivered,
      'lose',
      'lose',
      'd gets 2 from a',
      ...goDelivered,
      'b gets 3 from a',
      'c gets 3 from a',
    ]);
  });
});
