import type { DeclaredLink } from 'culprit/kernel';
import { expect, test } from 'vitest';
import { compared, complete, differenceText } from '../twins/trust/compare.ts';
import { familyNames, type FamilyName } from '../twins/trust/families.ts';
import { randomSystem, type RandomSystem } from '../twins/trust/random-system.ts';

/** The system of that seed, but its links report. */
function reporting(family: FamilyName, nth: number): RandomSystem {
  const random = randomSystem(familyNames.indexOf(family) + nth * familyNames.length);
  const names = [...random.roles.keys()];
  const links = names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .map((other): DeclaredLink => ({ between: [one, other], reports: nth % 4 === 0 ? 'first' : true })),
  );
  return { ...random, links: [...links, ...(random.links ?? []).filter(({ lane }) => lane !== undefined)] };
}

/** Of each family: how many systems are small enough to compare, and how many of them are violated. */
const counts = { crashes: [2, 2], cuts: [2, 0], workloads: [5, 1], 'lanes and faults': [5, 4] } as const;
const SEEDS = 7;
const ASKED_EVERY = 4;

test.each(Object.keys(counts) as (keyof typeof counts)[])(
  'searches agree with a brute force where links report: %s',
  async (family) => {
    let [some, violated] = [0, 0];
    for (let nth = 0; nth < SEEDS; nth++) {
      const asked = complete.filter((_, at) => (at + nth) % ASKED_EVERY === 0);
      const outcome = await compared(reporting(family, nth), asked);
      expect(outcome.differences.length > 0 ? differenceText(outcome) : '').toBe('');
      if (outcome.truth !== undefined) some += 1;
      if (outcome.truth === 'violated') violated += 1;
    }
    expect([some, violated]).toEqual(counts[family]);
  },
);
