import { firstEnabled, gossip } from '../gossip.ts';
import type { Measured } from '../row.ts';
import { run } from '../run.ts';
import { best, inTurns } from '../timing.ts';

const EVENTS = 500_000;
const ROUNDS = 9;

/** Two processes that bounce one message: nearly all the time is spent in the kernel. */
export async function trivial(): Promise<Measured[]> {
  const system = gossip(2, 1);
  const { bounce } = await inTurns(ROUNDS, { bounce: () => run(system, firstEnabled(system), EVENTS) });
  const value = EVENTS / (best(bounce) / 1000);
  return [
    { case: 'two processes bounce a message', metric: 'kernel', value, unit: 'deliveries/s', target: '>= 1,000,000' },
  ];
}
