import { check, CulpritError, type CheckOptions } from 'culprit';
import { Random } from 'culprit/kernel';
import { expect, test } from 'vitest';
import lock from '../../cases/lock/lock.system.ts';
import { left } from '../twins/left.ts';
import { jsonMutant } from '../twins/mutants/json-mutant.ts';

/** Checkpoints of searches that save different things. */
const searches = ['dpor', 'race-reversal', 'mixed', 'depth', 'novelty', 'random'] as const;

const MUTANTS = 40;

test.each(searches)('a damaged checkpoint of %s is refused with a reason, or the check ends', async (search) => {
  const options: CheckOptions = { search, eventsMax: 12 };
  const from = await left(lock, { ...options, executions: 6 });
  if (from === undefined) throw new Error('nothing was saved');
  const endings = { refused: 0, accepted: 0 };
  for (let seed = 1; seed <= MUTANTS; seed++) {
    const random = Random.seeded(seed, 0x63686b);
    let damaged: unknown = from;
    for (let count = 1 + random.below(3); count > 0; count--) damaged = jsonMutant(damaged, random);
    try {
      await check(lock, { ...options, executions: 12, from: damaged as typeof from });
      endings.accepted += 1;
    } catch (error) {
      if (!(error instanceof CulpritError)) throw new Error(`${search}, seed ${seed}`, { cause: error });
      endings.refused += 1;
    }
  }
  expect(endings.refused).toBeGreaterThan(5);
});
