import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { behavior, check, defineSystem, hunt, search, send, type Judgment, type Oracle, type World } from 'culprit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { found } from '../found.ts';

/** Counts its messages, one after the other. */
const counter = behavior<{ count: number }, { type: 'tick' }>({
  start: () => ({ count: 0 }),
  receive(state) {
    state.count += 1;
  },
});

const processes = { a: counter, b: counter };
const ticks = [send('a', { type: 'tick' }), send('a', { type: 'tick' }), send('b', { type: 'tick' })];
type Here = World<typeof processes>;
const countOf = (world: Here, name: 'a' | 'b'): number => world.process(name).state?.count ?? 0;

describe('an invariant at intervals', () => {
  const asked = (every: number, workload = ticks) => {
    const at: number[] = [];
    const holds = (world: Here): Judgment => at.push(world.length) > 0;
    return { at, system: defineSystem({ processes, workload, invariants: { rare: { every, holds } } }) };
  };

  test('is asked every so many events, and at the end of the execution', async () => {
    const { at, system } = asked(3);
    await search(system, { executions: 1 });
    // Two starts, three sends, three deliveries; the first execution happens three times.
    expect(at).toEqual([0, 3, 6, 8, 0, 3, 6, 8, 0, 3, 6, 8]);
  });

  test('sees at the end the events since it was last asked', async () => {
    const invariants = { few: { every: 1_000, holds: (world: Here) => countOf(world, 'a') < 2 } };
    const trace = await found(defineSystem({ processes, workload: ticks, invariants }));
    expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'few', ending: 'finished' });
    expect(trace.events).toHaveLength(8);
  });

  test.each([0, -1, 2.5, Number.NaN])('of %s events is refused', (every) => {
    expect(() => asked(every)).toThrow(`invariants.rare.every is a whole number, 1 or more, not ${every}.`);
  });
});

describe('a witness', () => {
  const withInvariant = (holds: (world: Here) => Judgment) =>
    defineSystem({ processes, workload: ticks, invariants: { quiet: holds } });
  const counting = (world: Here): string[] => (['a', 'b'] as const).filter((name) => countOf(world, name) > 0);

  test('shows values, which are stored in the trace and the story', async () => {
    const trace = await found(
      withInvariant((world) => {
        const names = counting(world);
        const values = { count: 1, seen: new Set(names) };
        return names.length === 0 || { message: 'somebody counted', processes: names, values };
      }),
    );
    expect(trace.verdict).toMatchObject({ values: { count: 1, seen: { $set: [expect.any(String)] } } });
  });

  test('names the bug by its processes, or by its own fingerprint', async () => {
    const fingerprints = async (fingerprint?: string) => {
      const system = withInvariant((world) => {
        const names = counting(world);
        const own = fingerprint === undefined ? {} : { fingerprint };
        return names.length === 0 || { message: 'somebody counted', processes: names, ...own };
      });
      const { findings } = await search(system, { executions: 50, violations: 10 });
      return new Set(findings.map(({ trace: { verdict } }) => verdict.verdict === 'violated' && verdict.fingerprint));
    };
    expect(await fingerprints()).toEqual(new Set(['quiet a', 'quiet b']));
    expect(await fingerprints('counted')).toEqual(new Set(['quiet counted']));
  });
});

describe('an invariant without a judgment', () => {
  /** Judges until the third event. */
  const answering = (answer: unknown) =>
    defineSystem({
      processes,
      workload: ticks,
      invariants: { odd: ({ length }) => (length < 3 ? true : (answer as Judgment)) },
    });
  const SAY = 'Return true if it holds; otherwise false, a sentence or a witness { message, … }.';
  const SYNC = `It is called synchronously: use neither \`async\` nor \`await\`. ${SAY}`;
  const LIST = 'The `processes` are a list of names, or left out.';

  test.each([
    ['undefined', undefined, 'undefined', SAY],
    ['null', null, 'null', SAY],
    ['a number', 0, '0', SAY],
    ['an empty text', '', 'an empty text', SAY],
    ['an object without fields', {}, 'an object without fields', SAY],
    ['a list', ['a'], 'a list', SAY],
    ['another object', { holds: false }, 'an object with the fields holds', SAY],
    ['a function', () => true, 'a function', SAY],
    ['a promise', Promise.resolve(true), 'a promise', SYNC],
    [
      'a witness that says nothing',
      { message: '' },
      'a witness whose message is an empty text',
      'The `message` is a sentence that says what is wrong.',
    ],
    ['a witness about a text', { message: 'x', processes: 'a' }, 'a witness whose processes is "a"', LIST],
    ['a witness about numbers', { message: 'x', processes: [1] }, 'a witness whose processes is a list', LIST],
    [
      'a witness with a value',
      { message: 'x', values: 3 },
      'a witness whose values is 3',
      'The `values` are an object: plain data by name. They may be left out.',
    ],
    [
      'a witness with a number as fingerprint',
      { message: 'x', fingerprint: 3 },
      'a witness whose fingerprint is 3',
      'The `fingerprint` is a text, or left out.',
    ],
  ])('that returns %s ends a hunt and a check, and is named', async (_what, answer, returned, next) => {
    const system = answering(answer);
    const message = `the invariant odd, asked after event 3, returned ${returned}.`;
    await expect(search(system, { executions: 1 })).rejects.toMatchObject({ message: `seed 0: ${message}`, next });
    await expect(check(system)).rejects.toMatchObject({ message, next, cause: { code: 'BAD_ANSWER' } });
  });

  test('is named if its promise rejects, which no code awaits', async () => {
    const late = (): Judgment => Promise.reject(new Error('nobody hears this')) as never;
    const system = defineSystem({ processes, workload: ticks, invariants: { late } });
    await expect(search(system)).rejects.toThrow('the invariant late, asked after event 0, returned a promise.');
  });

  test('may be one that is asked at intervals', async () => {
    const holds = (): Judgment => undefined as never;
    const system = defineSystem({ processes, workload: ticks, invariants: { rare: { every: 5, holds } } });
    await expect(search(system)).rejects.toThrow('the invariant rare, asked after event 0, returned undefined.');
  });

  test.each([
    ['false', false, 'does not hold'],
    ['a sentence', 'three is a crowd', 'three is a crowd'],
    ['a witness', { message: 'three is a crowd', processes: undefined, values: {} }, 'three is a crowd'],
  ])('is none that returns %s', async (_what, answer, message) => {
    expect((await found(answering(answer))).verdict).toMatchObject({ verdict: 'violated', oracle: 'odd', message });
  });
});

describe("an oracle of the user's own", () => {
  const system = (strict: Oracle) => defineSystem({ processes, workload: ticks, oracles: { strict } });

  test('judges under the name that the system gives it', async () => {
    const oracle: Oracle = {
      judge: ({ length }) =>
        length < 4
          ? { kind: 'holds' }
          : { kind: 'violated', oracle: 'short', message: 'too long', processes: ['a'], fingerprint: 'short a' },
    };
    const { verdict, events } = await found(system(oracle));
    expect(verdict).toMatchObject({ oracle: 'strict', message: 'too long', fingerprint: 'strict a' });
    expect(events).toHaveLength(4);
  });

  test('that says unknown is counted, and does not count as holding', async () => {
    const oracle: Oracle = { judge: () => ({ kind: 'holds' }), end: () => ({ kind: 'unknown', why: 'too hard' }) };
    const { unknown, whyUnknown, executions, findings } = await search(system(oracle), { executions: 5 });
    expect({ unknown, executions, findings }).toEqual({ unknown: 5, executions: 5, findings: [] });
    expect(whyUnknown).toBe('strict: too hard');
    const directory = mkdtempSync(join(tmpdir(), 'culprit-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await expect(hunt(system(oracle), { executions: 5, directory })).rejects.toThrow(
      'nothing was found, but 5 of 5 executions have an unknown verdict: strict: too hard.',
    );
    expect((await hunt(system(oracle), { executions: 5, directory, allowUnknown: true })).unknown).toBe(5);
  });

  test('that throws is named', async () => {
    const oracle: Oracle = {
      judge() {
        throw new Error('hm');
      },
    };
    await expect(search(system(oracle))).rejects.toThrow('the oracle strict threw after event 0: Error: hm');
  });

  const holds = (): { kind: 'holds' } => ({ kind: 'holds' });
  test.each([
    ['no verdict', { judge: () => undefined }, 'judge of the oracle strict, asked after event 0, returned undefined.'],
    [
      'a promise',
      { judge: () => Promise.resolve({ kind: 'holds' }) },
      'judge of the oracle strict, asked after event 0, returned a promise.',
    ],
    ['true', { judge: () => true }, 'judge of the oracle strict, asked after event 0, returned true.'],
    [
      'another kind',
      { judge: () => ({ kind: 'fails' }) },
      'judge of the oracle strict, asked after event 0, returned an object with the fields kind.',
    ],
    [
      'unknown for no reason',
      { judge: () => ({ kind: 'unknown' }) },
      'judge of the oracle strict, asked after event 0, returned a verdict of the kind unknown whose why is undefined.',
    ],
    [
      'violated without a fingerprint',
      { judge: () => ({ kind: 'violated', oracle: 'strict', message: 'x', processes: [] }) },
      'judge of the oracle strict, asked after event 0, returned a verdict of the kind violated whose fingerprint is undefined.',
    ],
    [
      'nothing at the end',
      { judge: holds, end: () => undefined },
      'end of the oracle strict, asked after event 8, returned undefined.',
    ],
    ['no oracle', { judge: holds, begin: () => undefined }, 'begin of the oracle strict returned undefined.'],
  ])('that returns %s is named', async (_what, oracle, message) => {
    await expect(search(system(oracle as unknown as Oracle))).rejects.toThrow(`seed 0: ${message}`);
    await expect(check(system(oracle as unknown as Oracle))).rejects.toMatchObject({ cause: { code: 'BAD_ANSWER' } });
  });

  test('must have a function `judge`', () => {
    expect(() => system({} as never)).toThrow('the system has no oracles.strict.judge.');
    expect(() => system(undefined as never)).toThrow(
      'oracles.strict is linearizable(…), progress(…), or an object with the function judge, not undefined.',
    );
  });
});
