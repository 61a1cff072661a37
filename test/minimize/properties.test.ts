import { minimize, replay, search, type Oracle, type System } from 'culprit';
import type { Minimized } from 'culprit/kernel';
import { writeTrace, type Trace } from 'culprit/trace';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { dispensable } from '../twins/follower.ts';
import { smallSystem, tables, type Table } from '../twins/small-system.ts';

interface Case {
  readonly table: Table;
  readonly system: System;
  readonly trace: Trace;
  /** What the passes leave of it: several tests ask. */
  readonly minimized: () => Promise<Minimized>;
}

function caseOf(table: Table, system: System, trace: Trace): Case {
  let minimized: Promise<Minimized> | undefined;
  return { table, system, trace, minimized: () => (minimized ??= minimize(system, trace, passesOnly)) };
}

/** Judges nothing, and might remember something: no two schedules share the execution of a prefix. */
const remembering: Oracle = {
  judge: () => ({ kind: 'holds' }),
  begin: () => ({ judge: () => ({ kind: 'holds' }) }),
};

/** Without the proof that nothing shorter exists, which would leave nothing to compare. */
const passesOnly = { proofStates: 0 };

const fingerprintOf = ({ verdict }: Trace): string | undefined =>
  'fingerprint' in verdict ? verdict.fingerprint : undefined;

describe('every failing execution', () => {
  const cases: Case[] = [];
  beforeAll(async () => {
    for (const table of fc.sample(tables(6), { numRuns: 120, seed: 11 })) {
      const system = smallSystem(table);
      for (const seed of [0, 100, 200]) {
        const { findings } = await search(system, { seed, executions: 60, eventsMax: 40, strategy: 'random' });
        for (const { trace } of findings) cases.push(caseOf(table, system, trace));
      }
    }
  });

  test('is one of many', () => {
    const kinds = new Set(cases.flatMap(({ trace }) => trace.events.map(({ kind }) => kind)));
    expect([...kinds].sort()).toEqual(['complete', 'crash', 'deliver', 'fire', 'lose', 'restart', 'send', 'start']);
    expect(cases.length).toBeGreaterThan(90);
    expect(Math.max(...cases.map(({ trace }) => trace.events.length))).toBeGreaterThanOrEqual(15);
  });

  test('gets no longer, ends with the same bug, and replays exactly', async () => {
    for (const { system, trace, minimized } of cases) {
      const { trace: smaller, certificate } = await minimized();
      expect(certificate).toBe('1-minimal');
      expect(smaller.events.length).toBeLessThanOrEqual(trace.events.length);
      expect(fingerprintOf(smaller)).toBe(fingerprintOf(trace));
      expect(writeTrace(await replay(system, smaller))).toBe(writeTrace(smaller));
    }
  });

  test('has no event left that a twin could remove alone', async () => {
    for (const { table, system, minimized } of cases) {
      const { trace: smaller } = await minimized();
      expect([await dispensable(system, smaller), JSON.stringify(table)]).toEqual([[], JSON.stringify(table)]);
    }
  });

  test('has the same result every time, in as many schedules', async () => {
    for (const { system, trace } of cases.slice(0, 20)) {
      const [one, other] = [await minimize(system, trace), await minimize(system, trace)];
      expect(writeTrace(one.trace)).toBe(writeTrace(other.trace));
      expect([one.schedules, one.proofStates]).toEqual([other.schedules, other.proofStates]);
    }
  });

  test('has the same result if every schedule is executed from the start', async () => {
    for (const { table, trace, minimized } of cases) {
      const shared = await minimized();
      const alone = await minimize(smallSystem(table, { remembering }), trace, passesOnly);
      expect(writeTrace(alone.trace)).toBe(writeTrace(shared.trace));
      expect(alone.schedules).toBe(shared.schedules);
      expect(alone.stages.map(({ events }) => events)).toEqual(shared.stages.map(({ events }) => events));
    }
  });
});
