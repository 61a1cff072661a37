import { Random } from 'culprit/kernel';
import { BothSwitches, type Compared } from './compare-with-ovs.ts';
import type { OpenVSwitch } from './open-vswitch.ts';
import { RandomSequence } from './random-sequence.ts';

/**
 * Open vSwitch removes entries up to about a second late. So everything happens in the first half second of a period, and timeouts
 * end near its middle.
 */
const PERIOD_MS = 4000;
const TIMEOUTS = [2, 6, 10, 14, 22];
/** So many periods after the last flow_mod, all entries with timeouts are gone. */
const LONGEST = 6;

/**
 * Gives random flow_mods with timeouts, and packets that put them off, to our switch and to a bridge, for each seed. The clock of Open
 * vSwitch is that of all its bridges, and takes long to move on: so the seeds take turns.
 */
export async function compareTimeouts(
  ovs: OpenVSwitch,
  seeds: readonly number[],
  periods: number,
): Promise<readonly Compared[]> {
  const times = Random.seeded(seeds.length, 0x71e0);
  const pairs: { both: BothSwitches; random: Random; sequence: RandomSequence }[] = [];
  for (const seed of seeds) {
    const random = Random.seeded(seed, 0x71e1);
    pairs.push({ both: await BothSwitches.start(ovs), random, sequence: new RandomSequence(random, TIMEOUTS) });
  }
  let nowMs = 0;
  const moveTo = (thenMs: number): void => {
    if (thenMs === nowMs) return;
    ovs.passTime(thenMs - nowMs);
    for (const { both } of pairs) both.passTime(thenMs - nowMs);
    nowMs = thenMs;
  };
  for (let period = 0; period < periods; period += 1 + times.below(3)) {
    moveTo(period * PERIOD_MS + 100 * times.below(6));
    for (const { both, random, sequence } of pairs) {
      const count = random.below(12);
      const inputs = Array.from({ length: count }, () =>
        random.below(2) > 0 ? sequence.packet() : sequence.flowMod(),
      );
      await both.take(inputs);
    }
  }
  moveTo((periods + LONGEST) * PERIOD_MS);
  const compared: Compared[] = [];
  for (const { both } of pairs) compared.push(await both.end());
  return compared;
}
