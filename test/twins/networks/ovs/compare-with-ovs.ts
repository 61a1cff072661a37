import { Random } from 'culprit/kernel';
import type { FlowRemoved, Message } from 'culprit/networks';
import { observedOf, OurSwitch, shownRemoved, type Input, type Observed } from './observed.ts';
import type { OpenVSwitch } from './open-vswitch.ts';
import { RandomSequence } from './random-sequence.ts';
import { observedOfProcess } from './switch-process.ts';

/** Open vSwitch drops packets for a controller that has not read the last hundred. */
const BATCH = 25;

export interface Compared {
  readonly ours: Observed;
  readonly theirs: Observed;
  /** How many milliseconds longer an entry was in the table of Open vSwitch, for each that expired or was deleted. */
  readonly lateMs: readonly number[];
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

/**
 * Open vSwitch removes entries up to about a second late. So everything happens in the first half second of a period, and timeouts
 * end near its middle.
 */
const PERIOD_MS = 4000;
const TIMEOUTS = [2, 6, 10, 14, 22];

/** Gives flow_mods with timeouts, packets, and time that passes, to the functions of our switch and to a new bridge. */
export async function compareTimeouts(ovs: OpenVSwitch, seed: number, periods: number): Promise<Compared> {
  const random = Random.seeded(seed, 0x71e0);
  const sequence = new RandomSequence(random, TIMEOUTS);
  let nowMs = 0;
  const inputs: (Input | number)[] = [];
  for (let period = 0; period < periods; period += 1 + random.below(3)) {
    const thenMs = period * PERIOD_MS + 100 * random.below(6);
    if (thenMs > nowMs) inputs.push(thenMs - nowMs);
    nowMs = thenMs;
    for (let count = random.below(8); count > 0; count--)
      inputs.push(random.below(3) > 0 ? sequence.packet() : sequence.flowMod());
  }
  // At the end all entries with timeouts are gone.
  return compareInputs(ovs, [...inputs, (periods + 6) * PERIOD_MS - nowMs]);
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
  const removedThere = messages.filter((message) => message.type === 'flow_removed');
  return { ours, theirs, lateMs: lateness(ourSwitch.removed, removedThere) };
}

/** Of those that both removed: equal ones are compared in their order. */
function lateness(ours: readonly FlowRemoved[], theirs: readonly FlowRemoved[]): number[] {
  const left = [...ours];
  return theirs.flatMap((there) => {
    const at = left.findIndex((here) => shownRemoved(here) === shownRemoved(there));
    const [here] = at === -1 ? [] : left.splice(at, 1);
    return here === undefined ? [] : [durationMs(there) - durationMs(here)];
  });
}

const durationMs = ({ durationSec, durationNsec }: FlowRemoved): number => durationSec * 1000 + durationNsec / 1e6;

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
