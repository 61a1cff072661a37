import { expect, test } from 'vitest';
import { begun, endsSeenBy } from '../../../test/twins/begun.ts';
import { deeds } from '../../../test/twins/deeds.ts';
import { onRandomSystems } from '../../../test/twins/on-random-systems.ts';
import { Random } from '../../kernel/data/random.ts';
import { hex } from '../../trace/digest.ts';
import type { DporOptions, SearchEnding } from './dpor.ts';
import { RaceReversal } from './race-reversal.ts';
import { Mixed } from './mixed.ts';
import { conflicts } from '../dependence/footprint.ts';
import { Dependence } from '../dependence/dependence.ts';

const NODES_MAX = 400;

/** The executions that are met, up to the order of independent events, and how many were met again. */
async function met(
  { declaration, scripts }: ReturnType<typeof deeds>,
  search: (options: DporOptions) => RaceReversal | Mixed = (options) => new RaceReversal(options),
): Promise<[names: string[], again: number]> {
  const names = new Set<string>();
  let again = 0;
  const beginning = begun(declaration, scripts);
  const exploration = search({
    ...beginning,
    dependence: new Dependence(declaration, beginning.environment),
    depends: (_session, one, other) => conflicts(one.foot, other.foot),
    visitor: endsSeenBy((session, ending: SearchEnding) => {
      if (ending === 'blocked') again += 1;
      names.add(hex(session.name()));
      return true;
    }),
  });
  for (const pause of exploration.run()) if (pause !== undefined) await pause;
  return [[...names].sort(), again];
}

test.each([
  ['messages', 40, 25],
  ['timers', 40, 25],
  ['crashes', 40, 10],
  ['stops', 30, 8],
  ['cuts', 30, 8],
  ['refusals', 60, 8],
  ['waits', 60, 8],
  ['awaits', 60, 8],
] as const)('turning races round, one after the other, gets to everything: %s', async (feature, seeds, few) => {
  const compared = await onRandomSystems(feature, { seeds, nodesMax: NODES_MAX }, async (system, all, seed) => {
    const [names] = await met(system);
    expect({ seed, names }).toEqual({ seed, names: [...all.names].sort() });
  });
  expect(compared).toBeGreaterThan(few);
});

test('most executions are met once', async () => {
  let executions = 0;
  let twice = 0;
  for (let seed = 0; seed < 20; seed++) {
    const [names, again] = await met(deeds('timers', seed));
    executions += names.length;
    twice += again;
  }
  expect(twice / executions).toBeLessThan(0.5);
});

test('with random walks in between, it gets to the same', async () => {
  for (let seed = 0; seed < 20; seed++) {
    const system = deeds('timers', seed);
    const [alone] = await met(system);
    const [mixed] = await met(system, (options) => new Mixed({ ...options, random: Random.seeded(seed, 1) }));
    expect({ seed, mixed }).toEqual({ seed, mixed: alone });
  }
});
