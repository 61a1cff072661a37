import { isDeepStrictEqual } from 'node:util';
import { compareWithOvs } from '../../test/twins/networks/ovs/compare-with-ovs.ts';
import { OpenVSwitch } from '../../test/twins/networks/ovs/open-vswitch.ts';
import type { Measured } from '../row.ts';

const SEEDS = 50;
/** Flow_mods of a sequence, and as many packets. */
const COUNT = 200;

/** Compares flow entries, messages and output bytes with Open vSwitch. Exits with 1 if a sequence differs, and names its seed. */
export async function ovs(): Promise<Measured[]> {
  const reference = await OpenVSwitch.start();
  let [different, packets, flows] = [0, 0, 0];
  try {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { ours, process: actor, theirs } = await compareWithOvs(reference, seed, COUNT);
      packets += Object.values(theirs.sent).flat().length;
      flows += theirs.flows.length;
      if (isDeepStrictEqual(ours, theirs) && isDeepStrictEqual(actor, theirs)) continue;
      different++;
      console.error(`Open vSwitch differs for seed ${seed}.`);
    }
  } finally {
    await reference.close();
  }
  if (different > 0) process.exitCode = 1;
  const row = (metric: string, value: number, unit: string, target?: string): Measured => ({
    case: 'Open vSwitch',
    metric,
    value,
    unit,
    ...(target === undefined ? {} : { target }),
  });
  return [
    row('compared', SEEDS, 'sequences'),
    row('left through ports', packets, 'packets'),
    row('in the tables at the end', flows, 'flow entries'),
    row('differ', different, 'sequences', '0'),
  ];
}
