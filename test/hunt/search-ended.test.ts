import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  act,
  behavior,
  defineSystem,
  generate,
  progress,
  search,
  send,
  start,
  until,
  type Oracle,
  type System,
  type World,
} from 'culprit';
import { resolveSystem, SearchEnded } from 'culprit/kernel';
import type { AnyBehavior } from 'culprit/kernel';

const a = behavior<object, string>({ start: () => ({}), receive() {} });
const processes: Record<string, AnyBehavior> = { a };

/** An error of the user that makes culprit throw one of its own errors. */
const misspelled = (world: World): boolean => world.process('nobody').state === undefined;

const judging = (oracle: Partial<Oracle>): System =>
  defineSystem({ processes, oracles: { strict: { judge: () => ({ kind: 'holds' }), ...oracle } } });

const holds = (world: World): { kind: 'holds' } => {
  misspelled(world);
  return { kind: 'holds' };
};

const ours = 'there is no process called "nobody": the system has a.';

test.each<[what: string, system: System]>([
  ['the invariant odd threw after event 0', defineSystem({ processes, invariants: { odd: misspelled } })],
  [
    'the invariant rare threw after event 1',
    defineSystem({
      processes,
      invariants: { rare: { every: 9, holds: (world) => world.length < 1 || misspelled(world) } },
    }),
  ],
  ['the oracle strict threw after event 0', judging({ judge: holds })],
  ['the oracle strict threw after event 1', judging({ end: holds })],
  ['the oracle strict threw after event 0', judging({ begin: ({ world }) => ({ judge: () => holds(world) }) })],
  [
    'the oracle strict threw after event 0',
    judging({
      begin({ world }) {
        holds(world);
        return { judge: holds };
      },
    }),
  ],
  ['the oracle fair threw after event 0', defineSystem({ processes, oracles: { fair: progress(misspelled) } })],
  ['the sometimes met threw', defineSystem({ processes, sometimes: { met: misspelled } })],
  ['until(…) number 1 of the workload threw', defineSystem({ processes, workload: [until(misspelled)] })],
  [
    'the action bad threw',
    defineSystem({ processes, workload: [act('bad')], actions: { bad: (world) => (misspelled(world), []) } }),
  ],
])('%s that makes culprit throw: the error names it, with the seed and the remedy', async (what, system) => {
  const error = await search(system).catch((thrown: unknown) => thrown);
  if (!(error instanceof SearchEnded)) throw error;
  expect(error.message).toBe(`seed 0: ${what}: ${ours}`);
  expect(error.next).toBe('Check the spelling, or declare the process in `processes` or its kind in `kinds`.');
});

/** Another error, which needs no world. */
function broken(): never {
  resolveSystem(defineSystem({ processes: { b: {} as never } }));
  throw new Error('it was taken');
}

test.each<[what: string, system: System]>([
  ['the kind late threw', defineSystem({ processes, kinds: { late: broken }, workload: [start('b', 'late')] })],
  [
    'generate(…) number 1 of the workload threw',
    defineSystem({ processes, workload: [generate(1, [1, fc.nat().map(() => send('a', String(broken())))])] }),
  ],
])('%s that calls culprit in a wrong way', async (what, system) => {
  await expect(search(system)).rejects.toThrow(`seed 0: ${what}: the system has no processes.b.start.`);
});
