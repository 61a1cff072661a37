import { Rounds, Simulation, type Session } from 'culprit/kernel';
import { hex } from 'culprit/trace';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTransport, NAMES, randomSystem } from '../twins/random-system.ts';
import { start } from 'culprit';

const enabledIn = (session: Session): readonly string[] => session.enabled.map(hex);

/**
 * The number of complete rounds, from the enabled events after each event: a round is over once each event that was
 * enabled at its beginning has been missing once. Slow and obvious.
 */
function roundsIn(enabled: readonly (readonly string[])[]): number {
  let [begun, count] = [0, 0];
  for (let at = 1; at < enabled.length; at++) {
    const since = enabled.slice(begun + 1, at + 1);
    const isOver = (enabled[begun] ?? []).every((id) => since.some((ids) => !ids.includes(id)));
    if (isOver) [begun, count] = [at, count + 1];
  }
  return count;
}

test('a round is over once every event that was enabled at its beginning has had its turn', () => {
  let rounds = 0;
  fc.assert(
    fc.property(
      anyTransport,
      fc.array(fc.nat(), { minLength: 20, maxLength: 60, size: 'max' }),
      (transport, choices) => {
        const profiles = [{ awaits: false, blocking: false }];
        const session = Simulation.open(randomSystem({ transport, timers: 'any', profiles }), 1);
        for (const name of NAMES) if (session.refusal(start(name)) === undefined) void session.perform(start(name));
        const counted = new Rounds(session);
        const enabled = [enabledIn(session)];
        for (const choice of choices) {
          const event = session.enabled[choice % session.enabled.length];
          if (event === undefined) break;
          void session.perform(event);
          enabled.push(enabledIn(session));
          counted.advance(session);
          expect(counted.count).toBe(roundsIn(enabled));
        }
        rounds += counted.count;
      },
    ),
    { seed: 1, numRuns: 60 },
  );
  // Without any rounds the test would mean little.
  expect(rounds).toBeGreaterThan(60);
});
