import { resolveSystem, noFaults } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';
import { bruteForce } from './twins/trust/brute-force.ts';
import { compared, complete, differenceText } from './twins/trust/compare.ts';
import { dataText } from './twins/trust/data-text.ts';
import { familyNames, type FamilyName } from './twins/trust/families.ts';
import { randomSystem, systemOf } from './twins/trust/random-system.ts';
import type { Handler, Role } from './twins/trust/script.ts';

/**
 * The number of seeds of each family, and the share of systems that each search gets; `npm run bench -- trust` uses
 * more.
 */
const SEEDS = 9;
/** The first of them: with these seeds, every family has systems that are small enough to compare. */
const FIRST = 24;
const ASKED_EVERY = 3;

/** Of the systems of a family: how many are compared, and of those how many hold, are violated and are refused. */
type Counts = readonly [compared: number, holds: number, violated: number, refused: number];

const counts: Readonly<Record<FamilyName, Counts>> = {
  messages: [5, 3, 2, 0],
  aliases: [8, 6, 2, 0],
  cycles: [4, 3, 1, 0],
  values: [8, 7, 1, 0],
  timers: [2, 2, 0, 0],
  disks: [4, 4, 0, 0],
  asks: [4, 4, 0, 0],
  async: [4, 2, 2, 0],
  ticks: [5, 3, 2, 0],
  detached: [9, 7, 2, 0],
  blocking: [6, 6, 0, 0],
  spawns: [3, 2, 1, 0],
  crashes: [2, 0, 2, 0],
  'async crashes': [5, 3, 2, 0],
  cuts: [4, 3, 1, 0],
  losses: [3, 3, 0, 0],
  workloads: [3, 2, 1, 0],
  throws: [6, 3, 3, 0],
  rejects: [8, 5, 3, 0],
  mixed: [6, 6, 0, 0],
  endless: [2, 1, 1, 0],
  'spawns and crashes': [5, 3, 2, 0],
  hidden: [5, 2, 0, 3],
  lanes: [6, 5, 1, 0],
  'lanes and faults': [4, 4, 0, 0],
  holds: [5, 3, 2, 0],
  pauses: [4, 1, 3, 0],
};

/** Families in which a search may be unknown, and the number of unknown answers; 0 in all others. */
const unknown: Partial<Record<FamilyName, number>> = { endless: 1, 'spawns and crashes': 3 };

test.each(familyNames)('every complete search says of random systems what a brute force says: %s', async (family) => {
  const seeds = Array.from(
    { length: SEEDS },
    (_, at) => familyNames.indexOf(family) + (at + FIRST) * familyNames.length,
  );
  const truths: string[] = [];
  let unknowns = 0;
  for (const [turn, seed] of seeds.entries()) {
    const asked = complete.filter((_, at) => (at + turn) % ASKED_EVERY === 0);
    const outcome = await compared(randomSystem(seed), asked);
    expect(outcome.differences.length > 0 ? differenceText(outcome) : '').toBe('');
    if (outcome.truth !== undefined) truths.push(outcome.truth);
    unknowns += outcome.unknown.length;
  }
  const of = (wanted: string): number => truths.filter((truth) => truth === wanted).length;
  expect([truths.length, of('holds'), of('violated'), of('refused')]).toEqual(counts[family]);
  expect(unknowns).toBe(unknown[family] ?? 0);
});

describe('the brute force itself', () => {
  test('three messages that are sent in order come in fifteen orders', async () => {
    const nothing: Handler = { manner: 'plain', steps: [] };
    const role: Role = { blocking: false, start: nothing, receive: [], timer: nothing, wrote: nothing };
    const workload = [0, 1, 2].map((word) => ({ kind: 'send' as const, to: 'a', message: { left: 0, word } }));
    const random = { ...randomSystem(1), roles: new Map([['a', role]]), workload, claims: [] };
    const subject = {
      resolved: resolveSystem(systemOf(random)),
      sink: random.sink,
      judge: () => undefined,
      withPast: new Set<string>(),
    };
    const bounds = { faults: noFaults, eventsMax: 100, nodesMax: 1_000, countsWorkload: false, reachesAll: false };
    for (const memo of [false, true]) {
      const truth = await bruteForce(subject, { ...bounds, memo });
      expect([truth?.executions, truth?.ends.size]).toEqual([15, 1]);
    }
  });

  const alias = { v: 1 };
  const around: unknown[] = [];
  around.push(around);
  test.each<[string, unknown, unknown]>([
    ['an object that is there twice', [alias, alias], [{ v: 1 }, { v: 1 }]],
    ['a list that contains itself', around, [[]]],
    ['a key of a map that is in a list', [alias, new Map([[alias, 1]])], [alias, new Map([[{ v: 1 }, 1]])]],
    ['the sign of zero', [0], [-0]],
    ['a number and a bigint', 1, 1n],
    ['a number and its text', 1, '1'],
    ['what is not there and undefined', {}, { x: undefined }],
    ['a hole and undefined', Array.from({ length: 1 }), Object.assign([], { length: 1 })],
    ['the order of keys', { a: 1, b: 1 }, { b: 1, a: 1 }],
    ['the order of a set', new Set([1, 2]), new Set([2, 1])],
    ['a missing prototype', {}, Object.create(null)],
    ['null and undefined', null, undefined],
    ['not a number and its name', Number.NaN, 'NaN'],
  ])('its texts distinguish %s', (_what, one, other) => {
    expect(dataText(one)).not.toBe(dataText(other));
    expect(dataText(structuredClone(one))).toBe(dataText(one));
  });
});
