import { defineSystem } from 'culprit';
import { driveInTurns, execution, FakeClock, Pause, resolveSystem, targetOf, type Strategy } from 'culprit/kernel';
import { expect, onTestFinished, test } from 'vitest';
import { ticking } from '../twins/ticking.ts';

/** Pauses so often, each time for so long. */
function pausing(times: number, ms: number): Strategy {
  let left = times;
  return { next: () => (left-- > 0 ? new Pause({ ms, matching: () => false }) : undefined) };
}

function executed(strategy: Strategy): Promise<unknown> {
  const session = targetOf(resolveSystem(defineSystem({ processes: { box: ticking({}) } }))).open(1);
  onTestFinished(() => session.close());
  return driveInTurns(execution(session, { strategy, oracle: { judge: () => ({ kind: 'holds' }) }, eventsMax: 10 }));
}

test('a strategy that waits again and again although no time passes is a mistake, and does not hang', async () => {
  await expect(executed(pausing(1_500, 0))).rejects.toThrow('waits again and again although no time passes');
});

test('a strategy may wait any number of times in which time passes', async () => {
  expect(await executed(pausing(1_500, 1))).toMatchObject({ ending: 'finished' });
});

test('on a fake clock time passes however little is left: a sum of many times is not exact', async () => {
  const clock = new FakeClock();
  await clock.wait(100_000.1, () => undefined);
  const beganMs = clock.nowMs;
  await clock.wait(1e-14, () => undefined);
  expect(clock.nowMs).toBeGreaterThan(beganMs);
});
