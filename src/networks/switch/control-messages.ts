import type { MacAddress } from '../bytes/data.ts';
import type { Action, FlowMod, Message, PacketOut, PortMod, PortStatus } from '../openflow/messages.ts';
import { actionTypes, type ErrorCodes } from '../openflow/names.ts';
import { errorReply } from '../openflow/openflow10.ts';
import { takePacket } from './buffers.ts';
import { applyFlowMod } from './flow-mod.ts';
import { flowRemoved, type RemovedEntry } from './flow-table.ts';
import type { Forwarding } from './forwarding.ts';
import { descriptionOf, newPort, portCalled, type SwitchPort } from './ports.ts';
import { isPort, statsReplies } from './stats.ts';
import type { SwitchContext, SwitchState } from './switch-state.ts';

/** What a switch does with the messages of its controllers. */
export class ControlMessages {
  constructor(
    private readonly state: SwitchState,
    private readonly ctx: SwitchContext,
    private readonly forwarding: Forwarding,
    private readonly tellAll: (message: Message) => void,
  ) {}

  answersTo(message: Message): Message[] {
    const { xid } = message;
    switch (message.type) {
      case 'hello':
      case 'error':
      case 'echo_reply':
        return [];
      case 'echo_request':
        return [{ ...message, type: 'echo_reply' }];
      case 'features_request':
        return [this.features(xid)];
      case 'get_config_request':
        return [{ type: 'get_config_reply', xid, ...this.state.config }];
      case 'set_config':
        this.state.config = { flags: message.flags, missSendLen: message.missSendLen };
        return [];
      case 'barrier_request':
        // All messages before this one have been handled.
        return [{ type: 'barrier_reply', xid }];
      case 'packet_out':
        return this.packetOut(message);
      case 'flow_mod':
        return this.flowMod(message);
      case 'port_mod':
        return this.portMod(message);
      case 'stats_request':
        return statsReplies(this.state, message, this.ctx.nowMs);
      case 'queue_get_config_request':
        return isPort(this.state, message.port) && message.port !== 'all'
          ? [{ type: 'queue_get_config_reply', xid, port: message.port, queues: [] }]
          : [errorReply(message, 'queue_op_failed', 'bad_port')];
      case 'vendor':
        return [errorReply(message, 'bad_request', 'bad_vendor')];
      default:
        // The rest is sent by switches only.
        return [errorReply(message, 'bad_request', 'bad_type')];
    }
  }

  /** The link at a port has changed. */
  setLink(portNo: number, isUp: boolean): void {
    const port = portCalled(this.state, portNo);
    if (port === undefined || port.desc.state.includes('link_down') === !isUp) return;
    port.desc.state = isUp ? [] : ['link_down'];
    this.reportPort(port);
  }

  addPort(portNo: number, hwAddr: MacAddress): void {
    if (portCalled(this.state, portNo) !== undefined) return;
    const port = newPort(portNo, hwAddr);
    this.state.ports.push(port);
    this.reportPort(port, 'add');
  }

  reportRemoved(removed: readonly RemovedEntry[]): void {
    for (const one of removed) {
      const message = flowRemoved(one, 0, this.ctx.nowMs);
      if (message !== undefined) this.tellAll(message);
    }
  }

  private features(xid: number): Message {
    return {
      type: 'features_reply',
      xid,
      datapathId: this.state.datapathId,
      nBuffers: this.state.bufferCount,
      nTables: 1,
      capabilities: ['flow_stats', 'table_stats', 'port_stats', 'queue_stats', 'arp_match_ip'],
      actions: actionTypes,
      ports: this.state.ports.map(descriptionOf),
    };
  }

  private packetOut(message: PacketOut): Message[] {
    const code = refusedInPacketOut(message.actions);
    if (code !== undefined) return [errorReply(message, 'bad_action', code)];
    const taken = message.bufferId === 'none' ? { packet: message.data } : takePacket(this.state, message.bufferId);
    if ('code' in taken) return [errorReply(message, 'bad_request', taken.code)];
    this.forwarding.throughActions(message.actions, taken.packet, message.inPort);
    return [];
  }

  /** A kept packet goes through the changed table. A deletion has none. */
  private flowMod(message: FlowMod): Message[] {
    const result = applyFlowMod(this.state.table, message, this.ctx.nowMs);
    if ('error' in result) {
      return [
        result.error === 'bad_action'
          ? errorReply(message, result.error, result.code)
          : errorReply(message, result.error, result.code),
      ];
    }
    this.reportRemoved(result.removed);
    const isDelete = message.command === 'delete' || message.command === 'delete_strict';
    if (isDelete || message.bufferId === 'none') return [];
    const taken = takePacket(this.state, message.bufferId);
    if ('code' in taken) return [errorReply(message, 'bad_request', taken.code)];
    this.forwarding.throughTable(taken.packet, taken.inPort);
    return [];
  }

  private portMod(message: PortMod): Message[] {
    const port = portCalled(this.state, message.portNo);
    if (port === undefined) return [errorReply(message, 'port_mod_failed', 'bad_port')];
    if (port.desc.hwAddr !== message.hwAddr) return [errorReply(message, 'port_mod_failed', 'bad_hw_addr')];
    const { config } = port.desc;
    const changed = [
      ...config.filter((bit) => !message.mask.includes(bit)),
      ...message.config.filter((bit) => message.mask.includes(bit)),
    ];
    if (changed.length === config.length && changed.every((bit) => config.includes(bit))) return [];
    port.desc.config = changed;
    this.reportPort(port);
    return [];
  }

  private reportPort(port: SwitchPort, reason: PortStatus['reason'] = 'modify'): void {
    this.tellAll({ type: 'port_status', xid: 0, reason, desc: descriptionOf(port) });
  }
}

/** The error about actions that a packet cannot get here. */
const refusedInPacketOut = (actions: readonly Action[]): ErrorCodes['bad_action'] | undefined => {
  if (actions.some(({ type }) => type === 'vendor')) return 'bad_vendor';
  return actions.some((action) => action.type === 'output' && action.port === 'normal') ? 'bad_out_port' : undefined;
};
