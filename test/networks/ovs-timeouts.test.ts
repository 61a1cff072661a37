import { expect, test } from 'vitest';
import { compareTimeouts } from '../twins/networks/ovs/compare-with-ovs.ts';
import { ovsOfFile } from './peers.ts';

const ovs = ovsOfFile();

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

test.each(seeds)('Open vSwitch agrees when entries expire, and why: seed %i', async (seed) => {
  const { ours, theirs, lateMs } = await compareTimeouts(ovs(), seed, 60);
  expect(theirs).toEqual(ours);
  const reasons = ours.toController.map((message) => /(?:idle|hard)_timeout/.exec(message)?.[0]);
  expect(new Set(reasons.filter(Boolean))).toEqual(new Set(['idle_timeout', 'hard_timeout']));
  // Durations agree to the second.
  expect(lateMs.length).toBeGreaterThan(10);
  expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...lateMs)).toBeLessThanOrEqual(1000);
});
