import { expect, test } from 'vitest';
import { happensBefore } from '../../test/twins/live-happens-before.ts';
import { executedInTime, randomTicking } from '../../test/twins/random-ticking.ts';
import { successorsOf } from './live-causality.ts';

/** How many random systems, and how many events of all of them depend on an earlier one, to see that the systems are no trivial ones. */
const SYSTEMS = 40;

test('the successors of every event are those of the transitive closure', async () => {
  let dependent = 0;
  let independent = 0;
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const { system, workload } = randomTicking(seed);
    const { events } = await executedInTime(system, workload);
    const twin = happensBefore(events);
    for (const [at] of events.entries()) {
      const slow = events.flatMap((_, later) => (twin[at]?.[later] === true ? [later] : []));
      expect({ seed, at, successors: [...successorsOf(events, at)] }).toEqual({ seed, at, successors: slow });
      dependent += slow.length;
      independent += events.length - 1 - at - slow.length;
    }
  }
  expect(dependent).toBeGreaterThan(1000);
  expect(independent).toBeGreaterThan(1000);
});
