import {
  targetOf,
  allOf,
  invariantOracle,
  noUncaughtException,
  resolveSystem,
  strategyCalled,
  drive,
  execution,
} from 'culprit/kernel';
import type { Parameter } from 'culprit';
import { describe, expect, test } from 'vitest';
import { longFailures } from './long-failures.ts';
import raft from './raft.system.ts';

describe.each(Object.entries(longFailures))('long executions of %s', (bug, long) => {
  const seeds = Object.keys(long.events).map(Number);

  test('violate what the bug is known for, after so many events', async () => {
    expect(seeds.length).toBeGreaterThanOrEqual(5);
    for (const seed of seeds)
      expect(await executed({ ...long.set, bug }, seed)).toEqual([long.violates, long.events[seed]]);
  });

  test('violate nothing without it', async () => {
    for (const seed of seeds) expect(await executed({ ...long.set, bug: 'none' }, seed)).toEqual(['holds', 3_000]);
  });
});

/** What is violated, and how many events there were. */
async function executed(set: Readonly<Record<string, Parameter>>, seed: number): Promise<[string, number]> {
  const system = resolveSystem(raft, set);
  const session = targetOf(system).open(seed);
  const strategy = strategyCalled('random')({ seed, plan: system.plan(seed), steps: 0 });
  const oracle = allOf(noUncaughtException, invariantOracle(system.invariants));
  const { verdict } = await drive(execution(session, { strategy, oracle, eventsMax: 3_000 }));
  return [verdict.kind === 'violated' ? verdict.oracle : verdict.kind, session.world.length];
}
