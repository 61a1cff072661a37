import { Random } from 'culprit/kernel';
import type { Message } from 'culprit/networks';
import { observedOf, OurSwitch, type Input, type Observed } from './observed.ts';
import type { OpenVSwitch } from './open-vswitch.ts';
import { RandomSequence } from './random-sequence.ts';
import { observedOfProcess } from './switch-process.ts';

/** Open vSwitch drops packets for a controller that has not read the last hundred. */
const BATCH = 25;

export interface Compared {
  readonly ours: Observed;
  readonly theirs: Observed;
}

/**
 * Gives as many flow_mods and packets, in random order, to the functions of our switch, to the switch as a process, and to a
 * new bridge of Open vSwitch.
 */
export async function compareWithOvs(
  ovs: OpenVSwitch,
  seed: number,
  count: number,
): Promise<Compared & { readonly process: Observed }> {
  const random = Random.seeded(seed, 0x0f10);
  const sequence = new RandomSequence(random);
  const inputs: Input[] = [];
  let [flowMods, packets] = [count, count];
  while (flowMods + packets > 0) {
    const isFlowMod = random.below(flowMods + packets) < flowMods;
    inputs.push(isFlowMod ? sequence.flowMod() : sequence.packet());
    if (isFlowMod) flowMods--;
    else packets--;
  }
  return { ...(await compareInputs(ovs, inputs)), process: await observedOfProcess(inputs) };
}

/** Gives these to both; a number is a time in milliseconds that passes. */
export async function compareInputs(
  ovs: OpenVSwitch,
  inputs: readonly (Input | number)[],
  maxEntries?: number,
): Promise<Compared> {
  const bridge = await ovs.addBridge();
  if (maxEntries !== undefined) ovs.limitEntries(bridge, maxEntries);
  const ourSwitch = new OurSwitch(maxEntries);
  const messages: Message[] = [];
  for (const batch of batchesOf(inputs)) {
    if (typeof batch === 'number') {
      ourSwitch.passTime(batch);
      ovs.passTime(batch);
    } else {
      for (const input of batch) ourSwitch.take(input);
      messages.push(...(await bridge.channel.exchange(batch)));
    }
  }
  // The last entry needs room.
  if (maxEntries !== undefined) ovs.limitEntries(bridge, maxEntries + 1);
  const ours = ourSwitch.observed();
  const theirs = await observedOf(bridge, messages, ours);
  ovs.removeBridge(bridge);
  return { ours, theirs };
}

/** Up to the next passing of time, and not too many at once. */
function batchesOf(inputs: readonly (Input | number)[]): (Input[] | number)[] {
  const batches: (Input[] | number)[] = [];
  for (const input of inputs) {
    const last = batches.at(-1);
    if (typeof input === 'number') batches.push(input);
    else if (typeof last === 'object' && last.length < BATCH) last.push(input);
    else batches.push([input]);
  }
  return batches;
}
