import {
  applyFlowMod,
  emptyTable,
  fieldsOf,
  flowRemoved,
  lookUp,
  nextExpiryMs,
  normalMatch,
  removeExpired,
  runActions,
  type FlowMod,
  type FlowRemoved,
  type Message,
  type SwitchOutput,
  type PacketOut,
  type RemovedEntry,
} from 'culprit/networks';
import { bridgePorts, type OvsBridge } from './open-vswitch.ts';

/** All that can be seen of a switch from outside. */
export interface Observed {
  /** The packets that left through each port. */
  readonly sent: Readonly<Record<number, readonly string[]>>;
  /** Messages to the controller, without what may differ. */
  readonly toController: readonly string[];
  /** The flow entries. */
  readonly flows: readonly string[];
}

export type Input = FlowMod | PacketOut;

/** The flow table and actions of ours, as a switch with the ports of a bridge. */
export class OurSwitch {
  nowMs = 0;
  /** The messages about removed entries. */
  readonly removed: FlowRemoved[] = [];
  private readonly table;
  private readonly sent: Record<number, string[]> = Object.fromEntries(bridgePorts.map((port) => [port, []]));
  private readonly toController: string[] = [];
  private readonly ports = bridgePorts.map((portNo) => ({ portNo, config: [], state: [] }));

  constructor(maxEntries = 1_000_000) {
    this.table = emptyTable(maxEntries);
  }

  take(input: Input): void {
    if (input.type === 'packet_out') {
      this.put(runActions(input.actions, input.data, input.inPort, this.ports), input);
      return;
    }
    const result = applyFlowMod(this.table, input, this.nowMs);
    if ('error' in result) this.toController.push(shownError(input.xid, result.error, result.code));
    else this.reportRemoved(result.removed);
  }

  passTime(ms: number): void {
    const endMs = this.nowMs + ms;
    for (let nextMs = nextExpiryMs(this.table); nextMs <= endMs; nextMs = nextExpiryMs(this.table)) {
      this.nowMs = nextMs;
      this.reportRemoved(removeExpired(this.table, this.nowMs));
    }
    this.nowMs = endMs;
  }

  observed(): Observed {
    const { sent, toController } = this;
    const flows = this.table.entries.map((entry) => shownFlow(entry)).toSorted();
    return { sent, toController: toController.toSorted(), flows };
  }

  private reportRemoved(removed: readonly RemovedEntry[]): void {
    for (const one of removed) {
      const message = flowRemoved(one, 0, this.nowMs);
      if (message === undefined) continue;
      this.removed.push(message);
      this.toController.push(shownRemoved(message));
    }
  }

  private put(outputs: readonly SwitchOutput[], { inPort, data }: PacketOut): void {
    for (const output of outputs) {
      if (output.port === 'table') this.lookUp(data, inPort);
      else if (output.port === 'controller') this.toController.push(shownPacket(inPort, 'action', output.packet));
      else if (typeof output.port === 'number') this.sent[output.port]?.push(output.packet);
    }
  }

  private lookUp(data: string, inPort: PacketOut['inPort']): void {
    const fields = fieldsOf(Buffer.from(data, 'hex'), inPort);
    const entry = fields && lookUp(this.table, fields, data.length / 2, this.nowMs);
    if (entry === undefined) this.toController.push(shownPacket(inPort, 'no_match', data));
    else this.put(runActions(entry.actions, data, inPort, this.ports), { inPort, data } as PacketOut);
  }
}

/** What can be seen of a bridge that has sent these messages, and will send as many as ours if it has the same entries. */
export async function observedOf(bridge: OvsBridge, messages: readonly Message[], ours: Observed): Promise<Observed> {
  const flows = (await bridge.channel.flows()).map((flow) => shownFlow(flow)).toSorted();
  const isSame = flows.join('\n') === ours.flows.join('\n');
  const late = await bridge.channel.settled(isSame ? ours.toController.length - messages.length : 0);
  return {
    sent: Object.fromEntries(bridgePorts.map((port) => [port, bridge.sentThrough(port)])),
    toController: [...messages, ...late].map(shownMessage).toSorted(),
    flows,
  };
}

export function shownMessage(message: Message): string {
  switch (message.type) {
    case 'error':
      return shownError(message.xid, message.error, message.code);
    case 'flow_removed':
      return shownRemoved(message);
    case 'packet_in':
      return shownPacket(message.inPort, message.reason, message.data);
    default:
      return JSON.stringify(message);
  }
}

const shownError = (xid: number, error: string | number, code: string | number): string => `${xid}: ${error} ${code}`;

const shownPacket = (inPort: PacketOut['inPort'], reason: string, data: string): string =>
  `${reason} from ${inPort}: ${data}`;

/** Without the duration, since Open vSwitch may be late. */
export const shownRemoved = (message: FlowRemoved): string =>
  JSON.stringify([
    normalMatch(message.match),
    message.priority,
    String(message.cookie),
    message.reason,
    message.idleTimeout,
    message.packetCount,
    message.byteCount,
  ]);

type Shown = Pick<FlowMod, 'match' | 'priority' | 'cookie' | 'idleTimeout' | 'hardTimeout' | 'actions'> & {
  readonly packetCount: number | bigint;
  readonly byteCount: number | bigint;
};

export const shownFlow = (flow: Shown): string =>
  JSON.stringify([
    normalMatch(flow.match),
    flow.priority,
    String(flow.cookie),
    flow.idleTimeout,
    flow.hardTimeout,
    Number(flow.packetCount),
    Number(flow.byteCount),
    flow.actions,
  ]);
