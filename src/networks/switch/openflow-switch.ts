import type { Behavior } from '../../kernel/behavior.ts';
import type { MacAddress } from '../bytes/data.ts';
import type { Action, FlowMod, Message, PacketOut, PortMod, PortStatus } from '../openflow/messages.ts';
import { actionTypes, type ErrorCodes } from '../openflow/names.ts';
import { errorReply, openflow10 } from '../openflow/openflow10.ts';
import { takePacket } from './buffers.ts';
import { applyFlowMod } from './flow-mod.ts';
import { flowRemoved, nextExpiryMs, removeExpired, type RemovedEntry } from './flow-table.ts';
import { Forwarding } from './forwarding.ts';
import { isPort, statsReplies } from './stats.ts';
import {
  initialState,
  newPort,
  type SwitchContext,
  type SwitchMessage,
  type SwitchOptions,
  type SwitchState,
} from './switch-state.ts';

/** A switch of OpenFlow 1.0 as a process. Its controllers are processes that send messages of OpenFlow as plain data. */
export function openflowSwitch(options: SwitchOptions): Behavior<SwitchState, SwitchMessage, 'expiry'> {
  return {
    start(ctx) {
      const state = initialState(options);
      new Forwarding(options, state, ctx).tellControllers({ type: 'hello', xid: 0, version: 1, elements: '' });
      return state;
    },
    receive(state, message, ctx) {
      new SwitchEvent(options, state, ctx).take(message);
    },
    timer(state, _timer, ctx) {
      new SwitchEvent(options, state, ctx).expire();
    },
  };
}

/** One event of a switch. */
class SwitchEvent {
  private readonly forwarding: Forwarding;

  constructor(
    options: SwitchOptions,
    private readonly state: SwitchState,
    private readonly ctx: SwitchContext,
  ) {
    this.forwarding = new Forwarding(options, state, ctx);
  }

  take(message: SwitchMessage): void {
    // A packet that arrives when an entry is due does not meet it.
    this.removeExpired();
    if (message.type === 'frame') this.forwarding.arrive(message.port, message.packet);
    else if (message.type === 'link') this.setLink(message.port, message.isUp);
    else if (message.type === 'port') this.addPort(message.port, message.hwAddr);
    else this.takeControl(message);
    this.awaitExpiry();
  }

  expire(): void {
    this.removeExpired();
    this.awaitExpiry();
  }

  /** Reads it as a switch does that gets bytes, so that a wrong message gets the error of the standard. */
  private takeControl(sent: Message): void {
    const received = openflow10.decode(openflow10.encode(sent));
    if (received.kind !== 'message') {
      if (received.reply !== undefined) this.ctx.send(this.ctx.from, received.reply);
      return;
    }
    for (const answer of this.answersTo(received.message)) this.ctx.send(this.ctx.from, answer);
  }

  private answersTo(message: Message): Message[] {
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

  private features(xid: number): Message {
    return {
      type: 'features_reply',
      xid,
      datapathId: this.state.datapathId,
      nBuffers: this.state.bufferCount,
      nTables: 1,
      capabilities: ['flow_stats', 'table_stats', 'port_stats', 'queue_stats', 'arp_match_ip'],
      actions: actionTypes,
      ports: this.state.ports.map(({ desc }) => desc),
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
    const port = this.state.ports.find(({ desc }) => desc.portNo === message.portNo);
    if (port === undefined) return [errorReply(message, 'port_mod_failed', 'bad_port')];
    if (port.desc.hwAddr !== message.hwAddr) return [errorReply(message, 'port_mod_failed', 'bad_hw_addr')];
    const { config } = port.desc;
    const changed = [
      ...config.filter((bit) => !message.mask.includes(bit)),
      ...message.config.filter((bit) => message.mask.includes(bit)),
    ];
    if (changed.length === config.length && changed.every((bit) => config.includes(bit))) return [];
    port.desc = { ...port.desc, config: changed };
    this.reportPort(message.portNo);
    return [];
  }

  private setLink(portNo: number, isUp: boolean): void {
    const port = this.state.ports.find(({ desc }) => desc.portNo === portNo);
    if (port === undefined || port.desc.state.includes('link_down') === !isUp) return;
    port.desc = { ...port.desc, state: isUp ? [] : ['link_down'] };
    this.reportPort(portNo);
  }

  private addPort(portNo: number, hwAddr: MacAddress): void {
    if (this.state.ports.some(({ desc }) => desc.portNo === portNo)) return;
    this.state.ports.push(newPort(portNo, hwAddr));
    this.reportPort(portNo, 'add');
  }

  private reportPort(portNo: PortMod['portNo'], reason: PortStatus['reason'] = 'modify'): void {
    const port = this.state.ports.find(({ desc }) => desc.portNo === portNo);
    if (port === undefined) return;
    this.forwarding.tellControllers({ type: 'port_status', xid: 0, reason, desc: port.desc });
  }

  private removeExpired(): void {
    this.reportRemoved(removeExpired(this.state.table, this.ctx.nowMs));
  }

  private reportRemoved(removed: readonly RemovedEntry[]): void {
    for (const one of removed) {
      const message = flowRemoved(one, 0, this.ctx.nowMs);
      if (message !== undefined) this.forwarding.tellControllers(message);
    }
  }

  private awaitExpiry(): void {
    const next = nextExpiryMs(this.state.table);
    if (next === Infinity) this.ctx.cancelTimer('expiry');
    else this.ctx.setTimer('expiry', Math.max(0, next - this.ctx.nowMs));
  }
}

/** The error about actions that a packet cannot get here. */
const refusedInPacketOut = (actions: readonly Action[]): ErrorCodes['bad_action'] | undefined => {
  if (actions.some(({ type }) => type === 'vendor')) return 'bad_vendor';
  return actions.some((action) => action.type === 'output' && action.port === 'normal') ? 'bad_out_port' : undefined;
};
