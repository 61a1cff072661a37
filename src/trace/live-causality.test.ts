import { expect, test } from 'vitest';
import { happensBefore, waitsFor } from '../../test/twins/live-happens-before.ts';
import { executedInTime, randomTicking } from '../../test/twins/random-ticking.ts';
import type { Event } from './event.ts';
import { followersOf, successorsOf } from './live-causality.ts';

/** How many random systems. */
const SYSTEMS = 40;

test.each([
  ['successors', successorsOf, happensBefore],
  ['followers', followersOf, waitsFor],
] as const)('the %s of every event are those of the transitive closure', async (_name, fast, slow) => {
  // To see that the systems are no trivial ones.
  let dependent = 0;
  let independent = 0;
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const { system, workload } = randomTicking(seed);
    const { events } = await executedInTime(system, workload);
    const twin = slow(events);
    for (const [at] of events.entries()) {
      const expected = events.flatMap((_, later) => (twin[at]?.[later] === true ? [later] : []));
      expect({ seed, at, found: [...fast(events, at)] }).toEqual({ seed, at, found: expected });
      dependent += expected.length;
      independent += events.length - 1 - at - expected.length;
    }
  }
  expect(dependent).toBeGreaterThan(1000);
  expect(independent).toBeGreaterThan(1000);
});

/** An event at a process, and nothing else. */
const at = (process: string, fields: object): Event => ({ process, cause: -1, hi: 0, lo: 0, ...fields }) as Event;

test('what happens between a message of the environment and its delivery does not depend on it', () => {
  const events = [
    at('environment', { kind: 'send', to: 'box', message: 'm' }),
    at('box', { kind: 'deliver', from: 'other', message: 'x' }),
    at('box', { kind: 'deliver', from: 'environment', message: 'm', cause: 0 }),
    at('box', { kind: 'deliver', from: 'other', message: 'y' }),
  ];
  expect([...successorsOf(events, 0)]).toEqual([2, 3]);
});

test('what comes to a process waits for the messages that it had sent before', () => {
  const events = [
    at('client', { kind: 'deliver', from: 'box', message: 'ready' }),
    at('environment', { kind: 'send', to: 'box', message: 'go' }),
    at('environment', { kind: 'send', to: 'other', message: 'go' }),
  ];
  expect([...successorsOf(events, 0)]).toEqual([]);
  expect([...followersOf(events, 0)]).toEqual([1]);
});
