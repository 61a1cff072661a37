import { explainWhy, search, type Oracle } from 'culprit';
import type { Counterfactual, Trace } from 'culprit/trace';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { smallSystem, tables, type Table } from '../../twins/small-system.ts';
import { WhatIfs, type Fact } from '../../twins/what-ifs.ts';

/** The longest of several violated executions. */
async function violatingOf(table: Table): Promise<Trace | undefined> {
  const traces: Trace[] = [];
  for (let seed = 0; seed < 8; seed++) {
    const { findings } = await search(smallSystem(table), { seed, executions: 1, eventsMax: 20 });
    traces.push(...findings.map(({ trace }) => trace));
  }
  return traces.sort((one, other) => other.events.length - one.events.length)[0];
}

const factOf = ({ event, before, outcome, isDelayed, absent }: Counterfactual): object => ({
  event,
  ...(before === undefined ? {} : { before }),
  outcome,
  absent,
  ...(isDelayed === undefined ? {} : { isDelayed }),
});

test('each change has the same result as the whole schedule, executed from the start', async () => {
  let compared = 0;
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(tables(4), async (table) => {
      const system = smallSystem(table);
      const trace = await violatingOf(table);
      if (trace === undefined) return;
      const { counterfactuals } = await explainWhy(system, trace, { continuations: 1 });
      const twin = new WhatIfs(system, trace);
      const expected: Fact[] = [];
      for (const { event } of trace.events) {
        expected.push(await twin.without(event));
        expected.push(...(await twin.overtakings(event)));
      }
      const direct = counterfactuals.filter(
        ({ change, event, before }) => change === 'without' || (change === 'earlier' && twin.meet(event, before ?? 0)),
      );
      expect(direct.map(factOf)).toEqual(expected);
      compared += expected.length;
      for (const { change, outcome } of direct) seen.add(`${change} ${outcome}`);
    }),
    { numRuns: 120, seed: 6 },
  );
  expect(compared).toBeGreaterThan(200);
  expect([...seen].sort()).toEqual([
    'earlier holds',
    'earlier impossible',
    'earlier violated',
    'without holds',
    'without violated',
  ]);
});

/** Reads nothing, but has `begin`: so worlds cannot be forked. */
const remembering: Oracle = { judge: () => ({ kind: 'holds' }), begin: () => ({ judge: () => ({ kind: 'holds' }) }) };

test('the result does not depend on whether worlds can be forked', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(tables(4), async (table) => {
      const trace = await violatingOf(table);
      if (trace === undefined) return;
      const forked = await explainWhy(smallSystem(table), trace, { continuations: 10 });
      const executed = await explainWhy(smallSystem(table, { remembering }), trace, { continuations: 10 });
      expect(executed).toEqual(forked);
      compared += 1;
    }),
    { numRuns: 100, seed: 7 },
  );
  expect(compared).toBeGreaterThan(20);
});
