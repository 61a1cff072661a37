import type { Context } from '../../kernel/behavior.ts';
import type { NetworkMessage } from '../network/network-switch-state.ts';
import type { Action, FlowMod, Match, Message, Port } from '../openflow/messages.ts';
import { flowMod } from '../openflow/flow-mod-message.ts';
import { packetOut, type AnsweredPacket } from './packet-outs.ts';

/** A flow entry to be added; what is left out has the default of `flowMod`. */
export interface NewFlow extends Partial<
  Pick<FlowMod, 'priority' | 'idleTimeout' | 'hardTimeout' | 'cookie' | 'flags'>
> {
  /** The packets that the entry is for. */
  readonly match: Match;
  /** What happens to such a packet, in this order; an empty list drops it. */
  readonly actions: readonly Action[];
  /** The packet that the switch asked about: it takes the way of the new entry. */
  readonly packet?: AnsweredPacket;
}

/** A switch as its controller sees it: somebody to send messages to. */
export class ConnectedSwitch {
  constructor(
    /** The process of the switch, such as `s1`. */
    readonly name: string,
    private readonly ctx: Pick<Context<NetworkMessage>, 'send'>,
  ) {}

  /** Sends any message of OpenFlow on the control channel of this switch. */
  send(message: Message): void {
    this.ctx.send(this.name, message);
  }

  /** Adds an entry to the flow table, or replaces the one with this match and priority. */
  addFlow({ packet, ...flow }: NewFlow): void {
    this.send(flowMod({ ...flow, bufferId: packet?.bufferId ?? 'none' }));
    // A switch without a free buffer sent the whole packet, and keeps nothing.
    if (packet?.bufferId === 'none') this.sendPacket(packet, flow.actions);
  }

  /** Deletes all entries that the match covers, of those that lead to `outPort` if it is given. */
  deleteFlows({ match = {}, outPort = 'none' }: { readonly match?: Match; readonly outPort?: Port } = {}): void {
    this.send(flowMod({ command: 'delete', match, outPort }));
  }

  /** Does these actions with a packet that the switch asked about; no actions drop it. */
  sendPacket(packet: AnsweredPacket, actions: readonly Action[]): void {
    this.send(packetOut(packet, actions));
  }
}
