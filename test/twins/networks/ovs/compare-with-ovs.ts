import { Random } from 'culprit/kernel';
import type { FlowRemoved, Message } from 'culprit/networks';
import { observedOf, OurSwitch, shownRemoved, type Input, type Observed } from './observed.ts';
import type { OpenVSwitch, OvsBridge } from './open-vswitch.ts';
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

/** Gives these to both; a number is a time in milliseconds that passes. */
export async function compareInputs(
  ovs: OpenVSwitch,
  inputs: readonly (Input | number)[],
  maxEntries?: number,
): Promise<Compared> {
  const both = await BothSwitches.start(ovs, maxEntries);
  for (const batch of batchesOf(inputs)) {
    if (typeof batch === 'number') {
      ovs.passTime(batch);
      both.passTime(batch);
    } else await both.take(batch);
  }
  return both.end();
}

/** The functions of our switch and a new bridge. */
export class BothSwitches {
  private readonly messages: Message[] = [];
  private readonly ourSwitch: OurSwitch;

  private constructor(
    private readonly ovs: OpenVSwitch,
    private readonly bridge: OvsBridge,
    private readonly maxEntries: number | undefined,
  ) {
    this.ourSwitch = new OurSwitch(maxEntries);
    if (maxEntries !== undefined) ovs.limitEntries(bridge, maxEntries);
  }

  static async start(ovs: OpenVSwitch, maxEntries?: number): Promise<BothSwitches> {
    return new BothSwitches(ovs, await ovs.addBridge(), maxEntries);
  }

  async take(inputs: readonly Input[]): Promise<void> {
    for (const input of inputs) this.ourSwitch.take(input);
    this.messages.push(...(await this.bridge.channel.exchange(inputs)));
  }

  /** As much time has passed for all bridges. */
  passTime(ms: number): void {
    this.ourSwitch.passTime(ms);
  }

  async end(): Promise<Compared> {
    const { ovs, bridge, messages, maxEntries } = this;
    // The last entry needs room.
    if (maxEntries !== undefined) ovs.limitEntries(bridge, maxEntries + 1);
    const ours = this.ourSwitch.observed();
    const theirs = await observedOf(bridge, messages, ours);
    ovs.removeBridge(bridge);
    const removedThere = messages.filter((message) => message.type === 'flow_removed');
    return { ours, theirs, lateMs: lateness(this.ourSwitch.removed, removedThere) };
  }
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
