import { beforeAll, expect, test } from 'vitest';
import { compareTimeouts } from '../twins/networks/ovs/compare-timeouts.ts';
import type { Compared } from '../twins/networks/ovs/compare-with-ovs.ts';
import { ovsOfFile } from './peers.ts';

const ovs = ovsOfFile();
const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

let compared: readonly Compared[] = [];
beforeAll(async () => {
  compared = await compareTimeouts(ovs(), seeds, 20);
});

test.each(seeds)('Open vSwitch agrees when entries expire, and why: seed %i', (seed) => {
  const { ours, theirs, lateMs } = compared[seed - 1] as Compared;
  expect(theirs).toEqual(ours);
  // Durations agree to the second.
  expect(lateMs.length).toBeGreaterThan(0);
  expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...lateMs)).toBeLessThanOrEqual(1000);
});

test('entries expired for both reasons, and packets put that off', () => {
  const reasons = compared.flatMap(({ ours }) =>
    ours.toController.map((text) => /(?:idle|hard)_timeout/.exec(text)?.[0]),
  );
  for (const reason of ['idle_timeout', 'hard_timeout'])
    expect(reasons.filter((one) => one === reason).length).toBeGreaterThan(30);
});
