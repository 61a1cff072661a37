import { BadCheckpoint, searchNames } from 'culprit/kernel';
import { behavior, check, defineSystem, send, type CheckOptions, type System } from 'culprit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counting, left, recorder, systems, timeless, type Counter } from '../twins/left.ts';
import { smallSystem, tables } from '../twins/small-system.ts';

describe.each(Object.entries(systems))('a check of %s', (_name, [make, options]) => {
  test.each(['dpor', 'race-reversal'] as const)(
    'a check that is resumed after any execution is the same check, by %s',
    async (search) => {
      const all = recorder();
      const whole = await check(make(all.oracle), { ...options, search });
      expect(all.names.length).toBeGreaterThan(5);
      for (let executions = 1; executions < whole.executions; executions += Math.ceil(whole.executions / 12)) {
        const { oracle, names } = recorder();
        const from = await left(make(oracle), { ...options, search, executions });
        if (from === undefined) throw new Error('nothing was saved');
        const report = await check(make(oracle), { ...options, search, from });
        expect(names).toEqual(all.names);
        expect(timeless(report)).toEqual(timeless(whole));
      }
    },
  );

  test('a check that is resumed after every execution is the same check', async () => {
    const [all, parts] = [recorder(), recorder()];
    await check(make(all.oracle), options);
    let from = await left(make(parts.oracle), { ...options, executions: 1 });
    while (from !== undefined) from = await left(make(parts.oracle), { ...options, executions: 1, from });
    expect(parts.names).toEqual(all.names);
  });
});

/** Searches that end soon, and reach no other bound than that on executions. */
const complete = ['dpor', 'race-reversal', 'mixed', 'depth', 'novelty'] as const;

test('a check of any small system, resumed after any execution, is the same check', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(tables(2), fc.constantFrom(...complete), fc.nat(), async (table, search, at) => {
      const all = recorder();
      const options = { search, eventsMax: 20, executions: 100, violations: 3 };
      const whole = await check(smallSystem(table, { oracle: all.oracle }), options);
      if (whole.executions < 2 || whole.executions >= 100) return;
      compared += 1;
      const { oracle, names } = recorder();
      const system = smallSystem(table, { oracle });
      const from = await left(system, { ...options, executions: 1 + (at % (whole.executions - 1)) });
      if (from === undefined) return;
      expect(timeless(await check(system, { ...options, from }))).toEqual(timeless(whole));
      expect(names).toEqual(all.names);
    }),
    { numRuns: 60, seed: 1 },
  );
  expect(compared).toBeGreaterThan(20);
});

describe('an interrupted check', () => {
  const { oracle } = recorder();
  const system = (by: number, bug = false): System =>
    defineSystem({ bug }, () => {
      const a = behavior<Counter, string>({
        start: () => ({ n: 0, heard: [] }),
        receive(state, message) {
          state.n += by;
          state.heard.push(message);
        },
      });
      const other = behavior<object, string>({
        start(ctx) {
          ctx.send('a', 'hello');
          return {};
        },
        receive() {},
      });
      return defineSystem({ processes: { a, b: other, c: other, d: other }, oracles: { oracle } });
    });

  test.each<[string, System, CheckOptions, string]>([
    [
      'other parameters',
      system(1),
      { set: { bug: true } },
      'the checkpoint was made with parameters {"bug":false}, not {"bug":true}.',
    ],
    ['other bounds', system(1), { eventsMax: 99 }, 'the checkpoint was made with events 200, not 99.'],
    [
      'another search',
      system(1),
      { search: 'race-reversal' },
      'the checkpoint was made with search "dpor", not "race-reversal".',
    ],
    ['other code', system(2), {}, 'the same events no longer have the same effects: the system has changed.'],
  ])('is not resumed with %s', async (_what, other, options, message) => {
    const from = await left(system(1), { executions: 2 });
    if (from === undefined) throw new Error('nothing was saved');
    const error: unknown = await check(other, { ...options, from }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BadCheckpoint);
    expect(error).toMatchObject({ message });
  });

  test.each(searchNames)('is not resumed after a change of the code, by %s', async (search) => {
    const from = await left(system(1), { search, executions: 2 });
    if (from === undefined) throw new Error('nothing was saved');
    await expect(check(system(2), { search, from })).rejects.toBeInstanceOf(BadCheckpoint);
  });

  test('gets the given budget on top of what it has used', async () => {
    const from = await left(system(1), { executions: 2 });
    if (from === undefined) throw new Error('nothing was saved');
    expect(await check(system(1), { executions: 3, from })).toMatchObject({ verdict: 'unknown', executions: 5 });
    const late = { ...from, elapsedMs: 1_000_000 };
    const report = await check(system(1), { seconds: 100, from: late });
    expect(report).toMatchObject({ verdict: 'holds', executions: 6 });
    expect(report.seconds).toBeGreaterThan(1_000);
  });

  test('keeps its findings', async () => {
    const found = defineSystem({
      processes: { a: counting(false, true), b: counting(false, true) },
      workload: [send('a', 'tell'), send('b', 'tell')],
      invariants: {
        a: (world) => world.process('a').state?.n !== 1,
        b: (world) => world.process('b').state?.n !== 1,
      },
    });
    const whole = await check(found, { violations: 3 });
    expect(whole.findings.map(({ trace }) => trace.verdict)).toMatchObject([{ oracle: 'a' }, { oracle: 'b' }]);
    const from = await left(found, { violations: 3, executions: 1 });
    expect(from?.findings).toHaveLength(1);
    const again = await check(found, { violations: 3, ...(from === undefined ? {} : { from }) });
    expect(timeless(again)).toEqual(timeless(whole));
  });
});
