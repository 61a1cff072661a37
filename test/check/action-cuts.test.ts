import { act, behavior, check, cut, defineSystem, search, send, type System } from 'culprit';
import { searchNames } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';

/** Passes everything on to b. */
const a = behavior<object, string>({ start: () => ({}), receive: (_state, message, ctx) => ctx.send('b', message) });

const b = behavior<{ got: string[] }, string>({
  start: () => ({ got: [] }),
  receive: (state, message) => void state.got.push(message),
});

/** Cuts the link by an action. The environment may not cut it, but it heals what is cut, as long as it may cut anything at all. */
const systemOf = (partitions: number): System =>
  defineSystem({
    processes: { a, b, c: b },
    links: [{ between: ['a', 'b'], partitions: false }, ['a', 'c']],
    faults: { partitions },
    actions: { split: () => [cut('a', 'b')] },
    workload: [act('split'), send('a', 'late')],
    // A message that was sent before the cut waits behind it, too.
    invariants: { nothing: (world) => (world.process('b').state?.got ?? []).length === 0 },
  });

test('a hunt heals what an action cut', async () => {
  const { findings } = await search(systemOf(1), { executions: 300 });
  expect(findings.map(({ trace }) => trace.events.map(({ kind }) => kind))).toEqual([
    expect.arrayContaining(['act', 'cut', 'heal', 'deliver']) as string[],
  ]);
});

describe.each(searchNames.filter((name) => name !== 'random' && name !== 'rdp'))('%s', (name) => {
  test('does not say that it holds where an action cut links that may be healed', async () => {
    const { verdict, whyUnknown } = await check(systemOf(1), { search: name });
    // Novelty asks in every world what the environment may do; the others explore plans that are made before.
    expect(verdict).toBe(name === 'novelty' ? 'violated' : 'unknown');
    const doubt = 'an action cuts links, and executions in which the environment heals them were not explored';
    expect(whyUnknown).toEqual(name === 'novelty' ? [] : [doubt]);
  });

  test('says so where the environment heals nothing', async () => {
    expect(await check(systemOf(0), { search: name })).toMatchObject({ verdict: 'holds' });
  });
});
