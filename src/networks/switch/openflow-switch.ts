import type { Behavior } from '../../kernel/behavior.ts';
import { Decoder } from '../openflow/decoder.ts';
import type { Message } from '../openflow/messages.ts';
import { openflow10 } from '../openflow/openflow10.ts';
import type { Received } from '../openflow/protocol.ts';
import { ControlChannels } from './channels.ts';
import { ControlMessages } from './control-messages.ts';
import { DelayedTable } from './delayed-table.ts';
import { nextExpiryMs, removeExpired } from './table-lookup.ts';
import { Forwarding } from './forwarding.ts';
import { checkSwitchOptions } from './switch-options.ts';
import {
  initialState,
  type Sender,
  type SwitchContext,
  type SwitchMessage,
  type SwitchOptions,
  type SwitchState,
  type SwitchTimer,
} from './switch-state.ts';

/** A switch of OpenFlow 1.0 as a process. Its controllers are processes that send messages of OpenFlow as plain data. */
export function openflowSwitch(options: SwitchOptions): Behavior<SwitchState, SwitchMessage, SwitchTimer> {
  checkSwitchOptions(options);
  return {
    start(ctx) {
      const state = initialState(options);
      new ControlChannels(options, state, ctx).begin();
      return state;
    },
    receive(state, message, ctx) {
      new SwitchEvent(options, state, ctx).take(message);
    },
    timer(state, timer, ctx) {
      new SwitchEvent(options, state, ctx).fire(timer);
    },
    wrote(state, key, ctx) {
      new SwitchEvent(options, state, ctx).takeEffect(key);
    },
  };
}

/** One event of a switch. */
class SwitchEvent {
  private readonly channels: ControlChannels;
  private readonly forwarding: Forwarding;
  private readonly control: ControlMessages;
  private readonly delayedTable: DelayedTable;

  constructor(
    private readonly options: SwitchOptions,
    private readonly state: SwitchState,
    private readonly ctx: SwitchContext,
  ) {
    this.channels = new ControlChannels(options, state, ctx);
    this.forwarding = new Forwarding(options, state, ctx, this.channels);
    this.control = new ControlMessages(state, ctx, this.forwarding, (message) => this.channels.tellAll(message));
    this.delayedTable = new DelayedTable(options, state, ctx, (message, sender) => this.handle(message, sender));
  }

  take(message: SwitchMessage): void {
    // A packet that arrives when an entry is due does not meet it.
    this.removeExpired();
    this.dispatch(message);
    this.awaitExpiry();
  }

  fire(timer: SwitchTimer): void {
    this.removeExpired();
    const [name, controller = ''] = splitAtSpace(timer);
    if (name === 'connect') this.channels.retry(controller);
    else if (name === 'echo') this.channels.checkEcho(controller);
    else this.state.expiryMs = null;
    this.awaitExpiry();
  }

  /** A delayed flow_mod was written to the table. */
  takeEffect(key: string): void {
    this.removeExpired();
    const written = this.delayedTable.take(key);
    if (written !== undefined) {
      this.channels.answer(written.sender, this.control.answersTo(written.flowMod));
      this.delayedTable.release(written.sender.controller);
    }
    this.awaitExpiry();
  }

  private dispatch(message: SwitchMessage): void {
    switch (message.type) {
      case 'frame':
        return this.forwarding.arrive(message.port, message.packet);
      case 'link':
        return this.control.setLink(message.port, message.isUp);
      case 'port':
        return this.control.addPort(message.port, message.hwAddr);
      case 'control_failure':
        return this.channels.setControl(true);
      case 'control_recovery':
        return this.channels.setControl(false);
      case 'channel_reset':
        return this.channels.reset(message.controller);
      case 'closed':
        return this.channels.takeClosed(this.ctx.from);
      case 'bytes':
        return this.takeBytes(Buffer.from(message.bytes, 'hex'));
      default:
        // Read as a switch reads that gets bytes, so that a wrong message gets the error of the standard.
        return this.takeControl(openflow10.decode(openflow10.encode(message)));
    }
  }

  /** Bytes of a controller, of any number of messages. Half a message of a connection that is over is not kept. */
  private takeBytes(bytes: Buffer): void {
    const { from } = this.ctx;
    const channel = this.channels.isOpen(from) ? this.channels.of(from) : undefined;
    const all = Buffer.concat([Buffer.from(channel?.incomplete ?? '', 'hex'), bytes]);
    const decoder = new Decoder(openflow10);
    const received = decoder.push(all);
    if (channel !== undefined) channel.incomplete = all.toString('hex', all.length - decoder.incomplete);
    for (const one of received) this.takeControl(one);
  }

  private takeControl(received: Received<Message>): void {
    const { from } = this.ctx;
    if (received.kind === 'message' && received.message.type === 'hello') {
      if (this.channels.isAnswer(from, received.message.xid)) this.channels.becomeConnected(from);
      return;
    }
    if (!this.isOfOpenChannel(received)) return;
    this.channels.heardFrom(from);
    const sender = this.channels.senderOf(from);
    if (received.kind === 'message') {
      if (!this.delayedTable.holdsBack(received.message, sender)) this.handle(received.message, sender);
      return;
    }
    if (received.reply !== undefined) this.ctx.send(from, received.reply);
    if (received.kind === 'broken') this.channels.breakOff(from, received.reason);
  }

  /** Otherwise it is of a connection that is over. A hello that cannot be accepted answers ours, too. */
  private isOfOpenChannel(received: Received<Message>): boolean {
    const { from } = this.ctx;
    if (this.channels.isOpen(from)) return true;
    return received.kind === 'broken' && this.channels.isAnswer(from, received.reply?.xid ?? 0);
  }

  private handle(message: Message, sender: Sender): void {
    if (message.type === 'flow_mod' && this.options.delayedTable !== undefined)
      this.delayedTable.begin(message, sender);
    else this.channels.answer(sender, this.control.answersTo(message));
  }

  private removeExpired(): void {
    this.control.reportRemoved(removeExpired(this.state.table, this.ctx.nowMs));
  }

  /** Sets the timer only if its time has changed: the event that fires is then a consequence of the change. */
  private awaitExpiry(): void {
    const next = nextExpiryMs(this.state.table);
    const expiryMs = next === Infinity ? null : next;
    if (expiryMs === this.state.expiryMs) return;
    this.state.expiryMs = expiryMs;
    if (expiryMs === null) this.ctx.cancelTimer('expiry');
    else this.ctx.setTimer('expiry', Math.max(0, expiryMs - this.ctx.nowMs));
  }
}

function splitAtSpace(timer: string): string[] {
  const at = timer.indexOf(' ');
  return at === -1 ? [timer] : [timer.slice(0, at), timer.slice(at + 1)];
}
