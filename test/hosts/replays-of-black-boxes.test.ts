import { recheck, search, type System } from 'culprit';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { randomBlackBoxes, type Chance } from '../twins/random-black-boxes.ts';

/** A replay leads to the violation unless chance prevents it: random systems of every shape. */

const SYSTEMS = 200;
const REPLAYS = 3;

/** So many executions are tried; most systems are violated in one of them. */
const EXECUTIONS = 8;

/** An execution that violates the system, just executed. */
async function found(system: System): Promise<Trace | undefined> {
  for (let seed = 1; seed <= EXECUTIONS; seed++) {
    const { findings } = await search(system, { executions: 1, seed, control: false });
    if (findings[0] !== undefined) return findings[0].trace;
  }
  return undefined;
}

/** The faults, timers, and answers of the systems. */
const EXPECTED_KINDS = [
  'act',
  'crash',
  'restart',
  'cut',
  'heal',
  'lose',
  'duplicate',
  'hold',
  'fire',
  'complete',
  'return',
];

const kindsIn = ({ events }: Trace): readonly string[] => events.map(({ kind }) => kind);

test('where boxes do the same whenever they get the same, every replay leads to the violation', async () => {
  const kinds = new Map<string, number>();
  const failed: string[] = [];
  let tried = 0;
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const system = randomBlackBoxes(seed);
    const trace = await found(system);
    if (trace === undefined) continue;
    tried += 1;
    for (const kind of new Set(kindsIn(trace))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const sampled = await recheck(system, trace, { replays: REPLAYS });
    if (sampled.answer !== 'sampled') throw new Error(sampled.answer);
    if (sampled.reproduced < REPLAYS) failed.push(`seed ${seed}: ${JSON.stringify(sampled.byReplay)}`);
  }
  expect(failed).toEqual([]);
  // To see that the systems are no trivial ones.
  expect(tried).toBeGreaterThan(SYSTEMS / 2);
  const rare = EXPECTED_KINDS.filter((kind) => (kinds.get(kind) ?? 0) < 3);
  expect(rare).toEqual([]);
});

test('where answers are missing by chance, every replay in which the same ones are missing leads to the violation', async () => {
  const failed: string[] = [];
  const replays = { same: 0, different: 0, reproduced: 0 };
  for (let seed = 1; seed <= SYSTEMS / 2; seed++) {
    const chance: Chance = { missingPercent: 10, draws: '' };
    const system = randomBlackBoxes(seed, chance);
    const trace = await found(system);
    // A replay without faults would follow, and its draws would be the last.
    if (trace === undefined || kindsIn(trace).some((kind) => FAULTS.includes(kind))) continue;
    const recorded = chance.draws;
    for (let replay = 0; replay < REPLAYS; replay++) {
      const sampled = await recheck(system, trace, { replays: 1 });
      if (sampled.answer !== 'sampled') throw new Error(sampled.answer);
      replays.reproduced += sampled.reproduced;
      replays[chance.draws === recorded ? 'same' : 'different'] += 1;
      if (chance.draws === recorded && sampled.reproduced === 0) failed.push(`seed ${seed}`);
    }
  }
  expect(failed).toEqual([]);
  expect(replays.same).toBeGreaterThan(50);
  expect(replays.different).toBeGreaterThan(20);
  // Chance matters: it prevents the violation in some of the others.
  expect(replays.reproduced).toBeLessThan(replays.same + replays.different);
});

const FAULTS: readonly string[] = ['crash', 'restart', 'cut', 'heal', 'lose', 'duplicate', 'hold'];
