import type { Hex } from '../bytes/data.ts';
import type { Action, Port } from '../openflow/messages.ts';
import type { PacketInReason } from '../openflow/names.ts';
import { keepPacket } from './buffers.ts';
import type { ControlChannels } from './channels.ts';
import { lookUp } from './table-lookup.ts';
import { fieldsOf } from './packet-fields.ts';
import { ownCounters, portCalled } from './ports.ts';
import { runActions } from './run-actions.ts';
import type { SwitchContext, SwitchOptions, SwitchState } from './switch-state.ts';

/** The way of packets through a switch. */
export class Forwarding {
  constructor(
    private readonly options: SwitchOptions,
    private readonly state: SwitchState,
    private readonly ctx: SwitchContext,
    private readonly channels: ControlChannels,
  ) {}

  /** A frame arrives at a port. */
  arrive(portNo: number, packet: Hex): void {
    const port = portCalled(this.state, portNo);
    if (port === undefined) return;
    const { config, state } = port.desc;
    if (config.includes('port_down') || config.includes('no_recv') || state.includes('link_down')) {
      ownCounters(port).rxDropped++;
      return;
    }
    const counters = ownCounters(port);
    counters.rxPackets++;
    counters.rxBytes += packet.length / 2;
    this.throughTable(packet, portNo);
  }

  /** Applies the entry for the packet; without one, controllers get it. */
  throughTable(packet: Hex, inPort: Port): void {
    const fields = fieldsOf(Buffer.from(packet, 'hex'), inPort);
    // Shorter than an Ethernet header: no frame.
    if (fields === undefined) return;
    const entry = lookUp(this.state.table, fields, packet.length / 2, this.ctx.nowMs);
    if (entry !== undefined) this.throughActions(entry.actions, packet, inPort);
    else if (!this.isSilent(inPort)) this.toControllers(packet, inPort, 'no_match', this.state.config.missSendLen);
  }

  throughActions(actions: readonly Action[], packet: Hex, inPort: Port): void {
    const descriptions = this.state.ports.map(({ desc }) => desc);
    for (const output of runActions(actions, packet, inPort, descriptions)) {
      if (output.port === 'controller') this.toControllers(output.packet, inPort, 'action', output.maxLen);
      else if (output.port === 'table') this.throughTable(output.packet, inPort);
      else if (output.port !== 'local') this.leave(output.port, output.packet);
    }
  }

  private leave(portNo: number, packet: Hex): void {
    const port = portCalled(this.state, portNo);
    if (port === undefined) return;
    const counters = ownCounters(port);
    counters.txPackets++;
    counters.txBytes += packet.length / 2;
    const peer = this.options.ports.find((option) => option.portNo === portNo)?.peer;
    if (peer === undefined) this.options.edge?.(this.state, portNo, packet, this.ctx);
    else this.ctx.send(peer.process, { type: 'frame', port: peer.port, packet }, { lane: peer.lane });
  }

  private isSilent(inPort: Port): boolean {
    return portCalled(this.state, inPort)?.desc.config.includes('no_packet_in') === true;
  }

  /** A packet that is not kept is sent as a whole. Without a controller, it is dropped. */
  private toControllers(packet: Hex, inPort: Port, reason: PacketInReason, maxLen: number): void {
    if (!this.channels.areSomeOpen) return;
    const bufferId = keepPacket(this.state, packet, inPort);
    const data = bufferId === 'none' ? packet : packet.slice(0, 2 * maxLen);
    this.channels.tellAll({ type: 'packet_in', xid: 0, bufferId, totalLen: packet.length / 2, inPort, reason, data });
  }
}
