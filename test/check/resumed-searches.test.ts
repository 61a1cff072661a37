import { check, type CheckOptions } from 'culprit';
import { searchNames, type SearchName } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';
import { left, recorder, systems, timeless } from '../twins/left.ts';

/** The searches of `check-again.test.ts` are resumed after each execution. */
const searches = searchNames.filter((name) => !['dpor', 'race-reversal', 'blackbox', 'rdp'].includes(name));

/** Searches that take long, or never end, are not run to the end. */
function executionsOf(search: SearchName): number {
  if (search === 'novelty') return 1_000;
  return search === 'breadth' || search === 'worlds' ? 20_000 : 80;
}

function boundsOf(search: SearchName, options: CheckOptions): CheckOptions & { readonly executions: number } {
  const reduce = search === 'novelty' ? (options.reduce ?? []).filter((policy) => policy === 'crs') : [];
  return { ...options, reduce, search, executions: executionsOf(search) };
}

type Make = (typeof systems)[string][0];

/**
 * Compares an interrupted check with an uninterrupted one, for every point of interruption; returns the number of
 * comparisons.
 */
async function compared(make: Make, bounds: ReturnType<typeof boundsOf>): Promise<number> {
  const all = recorder();
  const whole = await check(make(all.oracle), bounds);
  let times = 0;
  for (let after = 1; after < all.names.length; after += Math.ceil(all.names.length / 4)) {
    const again = await interrupted(make, bounds, after);
    // The last executions may come at once.
    if (again === undefined) continue;
    expect(again.names).toEqual(all.names);
    expect(timeless(again.report)).toEqual(timeless(whole));
    times += 1;
  }
  return times;
}

/** A check that is interrupted after this many executions, and resumed; undefined if it was already complete. */
async function interrupted(make: Make, bounds: ReturnType<typeof boundsOf>, after: number) {
  const interrupt = new AbortController();
  const { oracle, names } = recorder((count) => {
    if (count === after) interrupt.abort();
  });
  const from = await left(make(oracle), { ...bounds, signal: interrupt.signal });
  if (from === undefined) return undefined;
  const before = from.plans.reduce((sum, plan) => sum + plan.executions, 0);
  const report = await check(make(oracle), { ...bounds, executions: bounds.executions - before, from });
  return { report, names };
}

describe.each(Object.entries(systems))('a check of %s', (_name, [make, options]) => {
  test.each(searches)('that is interrupted and resumed is the same check, by %s', async (search) => {
    expect(await compared(make, boundsOf(search, options))).toBeGreaterThan(0);
  });

  // If an oracle reads something new, a walk under way has other races from then on.
  test('that is interrupted and resumed continues, by rdp', async () => {
    const bounds = boundsOf('rdp', options);
    const all = recorder();
    const whole = await check(make(all.oracle), bounds);
    const after = Math.ceil(all.names.length / 2);
    const again = await interrupted(make, bounds, after);
    expect(again?.names.slice(0, after)).toEqual(all.names.slice(0, after));
    expect(again?.report.executions).toBeGreaterThanOrEqual(whole.executions);
  });
});

const [messages] = systems['messages'] as (typeof systems)[string];

test.each(['depth', 'deepening'] as const)('preemptions are counted from where it was left, by %s', async (search) => {
  const bounds = { ...boundsOf(search, { eventsMax: 12, preemptions: 1 }), executions: 2_000 };
  expect(await compared(messages, bounds)).toBeGreaterThan(0);
});

test.each(['breadth', 'worlds'] as const)(
  'a check that was cut by the number of worlds is resumed, by %s',
  async (search) => {
    const all = recorder();
    const whole = await check(messages(all.oracle), { search });
    expect(whole.verdict).toBe('unknown');
    const { oracle, names } = recorder();
    let from = await left(messages(oracle), { search, executions: 20 });
    let parts = 1;
    for (; from !== undefined; parts++) from = await left(messages(oracle), { search, executions: 20, from });
    expect(parts).toBeGreaterThan(2);
    expect(names).toEqual(all.names);
  },
);
