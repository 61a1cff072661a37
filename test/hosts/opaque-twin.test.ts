import { expect, test } from 'vitest';
import { compared, complete, differenceText } from '../twins/trust/compare.ts';
import { familyNames } from '../twins/trust/families.ts';
import { randomSystem } from '../twins/trust/random-system.ts';

/** How many seeds of each family, and of how many systems each search is asked one; `npm run bench -- trust` asks more. */
const SEEDS = 3;
const ASKED_EVERY = 3;

/** Nothing of a view is hidden: it is a copy. */
const families = familyNames.filter((family) => family !== 'hidden');

/** How many systems were small enough to be compared, and how many of those are violated. */
const EXPECTED = [48, 14];

test('searches say of systems whose states cannot be copied what a brute force says', async () => {
  const truths: string[] = [];
  for (const family of families) {
    for (let turn = 0; turn < SEEDS; turn++) {
      const seed = familyNames.indexOf(family) + (turn + 1) * familyNames.length;
      const asked = complete.filter((_, at) => (at + turn) % ASKED_EVERY === 0);
      const outcome = await compared({ ...randomSystem(seed), isOpaque: true }, asked);
      expect(outcome.differences.length > 0 ? differenceText(outcome) : '').toBe('');
      if (outcome.truth !== undefined) truths.push(outcome.truth);
    }
  }
  expect([truths.length, truths.filter((truth) => truth === 'violated').length]).toEqual(EXPECTED);
});
