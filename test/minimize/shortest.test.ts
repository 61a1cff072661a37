import {
  behavior,
  defineSystem,
  minimize,
  progress,
  search,
  send,
  type Oracle,
  type System,
  type World,
} from 'culprit';
import type { Definition } from 'culprit/kernel';
import { readTrace, writeTrace, type Trace } from 'culprit/trace';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import lock from '../../cases/lock/lock.system.ts';
import spark from '../../cases/spark/spark.system.ts';
import { found } from '../found.ts';
import { shortestLength } from '../twins/shortest.ts';
import { smallSystem, tables } from '../twins/small-system.ts';
import { brief } from './brief.ts';

/** Longer ones take the twin too long. */
const LENGTH_MAX = 7;

describe('the certificate `shortest`', () => {
  test.each([
    { name: 'all passes', options: {}, shortened: 2 },
    { name: 'the simplest', options: { passes: ['single:place', 'single:type'] }, shortened: 6 },
  ] as const)(
    'is given to executions as short as those that a twin finds: after $name',
    async ({ options, shortened }) => {
      let [proven, improved] = [0, 0];
      for (const table of fc.sample(tables(3), { numRuns: 150, seed: 7 })) {
        const system = smallSystem(table);
        const [finding] = (await search(system, { executions: 60, eventsMax: 14, strategy: 'random' })).findings;
        if (finding === undefined) continue;
        const { trace, certificate, stages } = await minimize(system, finding.trace, options);
        expect(certificate).toBe('shortest');
        proven += 1;
        if (stages.filter(({ pass }) => pass === 'shortest').length > 1) improved += 1;
        if (trace.events.length > LENGTH_MAX) continue;
        const shortest = await shortestLength(system, trace, trace.events.length);
        expect([shortest, JSON.stringify(table)]).toEqual([trace.events.length, JSON.stringify(table)]);
      }
      // Without many failures, or with nothing left to find, the test would mean little.
      expect([proven, improved]).toEqual([63, shortened]);
    },
  );

  test('is given to the lock of the README: eleven events are the fewest', async () => {
    const { trace, certificate, proofStates, schedules } = await minimize(lock, await found(lock));
    expect([trace.events.length, certificate, proofStates, schedules]).toEqual([11, 'shortest', 2094, 162]);
  });

  test('is given if the search itself finds what passes did not', async () => {
    const minimized = await minimize(spark, await found(spark, { set: { bug: 'spark-3150' } }));
    expect(minimized.stages.filter(({ pass }) => pass === 'shortest').map(({ events }) => events)).toEqual([10, 10]);
    expect(minimized.stages.findLast(({ pass }) => pass === 'verify')?.events).toBe(80);
    expect([minimized.certificate, minimized.trace.events.length]).toEqual(['shortest', 10]);
  });
});

/** Two crossings, of which the second is a shortcut: `b` may hear from outside what `a` would tell it. */
const a = behavior<object, string>({
  start: () => ({}),
  receive: (_state, message, ctx) => ctx.send('b', message),
});
const b = behavior<{ got: string }, string>({
  start: () => ({ got: '' }),
  receive(state, message) {
    state.got += message;
  },
});
type Processes = { a: typeof a; b: typeof b };
const crossing = (more: Partial<Definition<Processes>> = {}): System =>
  defineSystem({
    processes: { a, b },
    workload: [send('a', 'x'), send('b', 'x')],
    invariants: { quiet: (world) => world.up(b).every(({ state }) => !state.got.endsWith('xx')) || 'too loud' },
    ...more,
  });

describe('the proof is not given', () => {
  let text: string;
  beforeAll(async () => {
    text = writeTrace(await found(crossing(), { executions: 50 }));
  });

  const certified = async (system: System, options = {}) => {
    const { trace, certificate, proofStates } = await minimize(system, readTrace(text, 'a test'), options);
    expect(brief(trace)).toContain('b gets "x" from environment');
    return [trace.events.length, certificate, proofStates];
  };

  test('without a sufficient budget', async () => {
    expect(await certified(crossing())).toEqual([7, 'shortest', 53]);
    expect(await certified(crossing(), { proofStates: 53 })).toEqual([7, 'shortest', 53]);
    expect(await certified(crossing(), { proofStates: 52 })).toEqual([7, '1-minimal', 52]);
    expect(await certified(crossing(), { proofStates: 0 })).toEqual([7, '1-minimal', 0]);
  });

  test('if an oracle remembers', async () => {
    const remembering = crossing({ oracles: { goesOn: progress(() => true) } });
    expect(await certified(remembering)).toEqual([7, '1-minimal', 0]);
  });

  test('if the system has events to keep', async () => {
    expect(await certified(crossing({ minimize: { keep: ({ kind }) => kind === 'send' } }))).toEqual([
      7,
      '1-minimal',
      0,
    ]);
    const together = crossing({ minimize: { atom: ({ kind }) => (kind === 'send' ? 'both' : undefined) } });
    expect(await certified(together)).toEqual([7, '1-minimal', 0]);
  });

  const judgedAtEnd = (end: Oracle['end'] & object): System =>
    crossing({ oracles: { last: { judge: () => ({ kind: 'holds' }), end } } });
  const blindAfter = (events: number): System =>
    judgedAtEnd((world) => {
      if (world.length === events) throw new Error('nothing to see');
      return { kind: 'holds' };
    });

  test('if some execution cannot be judged', async () => {
    expect(await certified(blindAfter(2))).toEqual([7, '1-minimal', 9]);
  });

  test('nor any other, if a removal cannot be judged', async () => {
    expect(await certified(blindAfter(1))).toEqual([7, undefined, 1]);
  });

  test('nor any other, if the violated oracle is unknown for a removal', async () => {
    const sure: Oracle['end'] = (world) =>
      world.length < 7
        ? { kind: 'unknown', why: 'dark' }
        : { kind: 'violated', oracle: 'last', message: 'long', processes: [], fingerprint: 'last' };
    const system = crossing({ invariants: {}, oracles: { last: { judge: () => ({ kind: 'holds' }), end: sure } } });
    const { trace, certificate } = await minimize(system, await found(system, { executions: 50 }));
    expect([trace.events.length, certificate]).toEqual([7, undefined]);
  });

  test('without the passes that make executions 1-minimal', async () => {
    expect(await certified(crossing(), { passes: ['provenance'] })).toEqual([7, undefined, 0]);
  });

  test('for an invalid number of worlds', async () => {
    await expect(certified(crossing(), { proofStates: -1 })).rejects.toMatchObject({ code: 'BAD_OPTION' });
  });
});

test('bugs that are met during the proof are other bugs', async () => {
  const got = (letters: string) => (world: World<Processes>) => world.up(b).every(({ state }) => state.got !== letters);
  // No removal leads from one to the other.
  const orders = crossing({
    workload: [send('b', 'x'), send('b', 'y'), send('b', 'y')],
    invariants: { forth: got('xyy'), back: got('yx') },
  });
  const { findings } = await search(orders, { executions: 50, violations: 2 });
  const trace = findings
    .map((finding) => finding.trace)
    .find(({ verdict }) => 'oracle' in verdict && verdict.oracle === 'forth') as Trace;
  expect((await minimize(orders, trace, { proofStates: 0 })).others).toEqual([]);
  const { others, certificate } = await minimize(orders, trace);
  expect(others.map(({ verdict }) => verdict)).toMatchObject([{ oracle: 'back' }]);
  expect(certificate).toBe('shortest');
});
