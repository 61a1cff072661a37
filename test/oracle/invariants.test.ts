import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { behaviour, defineSystem, hunt, search, send, type Judgement, type Oracle, type World } from 'culprit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { found } from '../found.ts';

/** Counts what it gets, one message after the other. */
const counter = behaviour<{ count: number }, { type: 'tick' }>({
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
    const holds = (world: Here): Judgement => void at.push(world.length);
    return { at, system: defineSystem({ processes, workload, invariants: { rare: { every, holds } } }) };
  };

  test('is asked every so many events, and when the execution ends', async () => {
    const { at, system } = asked(3);
    await search(system, { executions: 1 });
    // Two starts, three sends, three deliveries; the first execution happens three times.
    expect(at).toEqual([0, 3, 6, 8, 0, 3, 6, 8, 0, 3, 6, 8]);
  });

  test('sees at the end what came after it was last asked', async () => {
    const invariants = { few: { every: 1_000, holds: (world: Here) => countOf(world, 'a') < 2 } };
    const trace = await found(defineSystem({ processes, workload: ticks, invariants }));
    expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'few', ending: 'finished' });
    expect(trace.events).toHaveLength(8);
  });

  test.each([0, -1, 2.5, Number.NaN])('of %s events is refused', async (every) => {
    await expect(search(asked(every).system)).rejects.toThrow(
      'the invariant rare is neither a function nor one that is asked at intervals',
    );
  });
});

describe('a witness', () => {
  const withInvariant = (holds: (world: Here) => Judgement) =>
    defineSystem({ processes, workload: ticks, invariants: { quiet: holds } });
  const counting = (world: Here): string[] => (['a', 'b'] as const).filter((name) => countOf(world, name) > 0);

  test('shows values, which the trace and the story keep', async () => {
    const trace = await found(
      withInvariant((world) => {
        const names = counting(world);
        const values = { count: 1, seen: new Set(names) };
        return names.length === 0 || { message: 'somebody counted', processes: names, values };
      }),
    );
    expect(trace.verdict).toMatchObject({ values: { count: 1, seen: { $set: [expect.any(String)] } } });
  });

  test('names the bug by its processes, or by a fingerprint of its own', async () => {
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

  test('that says unknown is counted, and is not taken for one that holds', async () => {
    const oracle: Oracle = { judge: () => ({ kind: 'holds' }), end: () => ({ kind: 'unknown', why: 'too hard' }) };
    const { unknown, whyUnknown, executions, findings } = await search(system(oracle), { executions: 5 });
    expect({ unknown, executions, findings }).toEqual({ unknown: 5, executions: 5, findings: [] });
    expect(whyUnknown).toBe('strict: too hard');
    const directory = mkdtempSync(join(tmpdir(), 'culprit-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await expect(hunt(system(oracle), { executions: 5, directory })).rejects.toThrow(
      'nothing was found, but of 5 of 5 executions nobody knows whether they hold: strict: too hard.',
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
});
