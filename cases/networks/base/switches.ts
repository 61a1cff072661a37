import {
  parseFrame,
  type ErrorMessage,
  type FeaturesReply,
  type FlowRemoved,
  type Frame,
  type Message,
  type PacketIn,
  type PortStatus,
} from 'culprit/networks';
import type { Closed, ControllerIo, Received } from './app.ts';
import { ConnectedSwitch } from './connected-switch.ts';

/** A packet_in with the frame in it. */
export interface PacketAt extends PacketIn {
  readonly inPort: number;
  readonly frame: Frame;
}

/** What a controller does about its switches. */
export interface SwitchListener {
  /** The handshake of a switch is complete. */
  up(at: ConnectedSwitch): void;
  /** A switch that was up is gone. */
  down(at: ConnectedSwitch): void;
  packetIn(packet: PacketAt, from: ConnectedSwitch): void;
  /** The ports of `from` are those after the change. */
  portStatus(status: PortStatus, from: ConnectedSwitch): void;
  flowRemoved?(message: FlowRemoved, from: ConnectedSwitch): void;
  barrierReply?(xid: number, from: ConnectedSwitch): void;
  error?(message: ErrorMessage, from: ConnectedSwitch): void;
  /** A channel that counts as closed has said something. */
  late?(channel: string): void;
}

export interface SwitchesOptions {
  /** A bug: packets of a switch count as soon as its features are known, before its handshake is complete. */
  readonly hearsEarly?: boolean;
  /** Whether a handshake leaves the entries of the switch as they are; they are deleted by default. */
  readonly keepsEntries?: () => boolean;
}

/** A channel after its hello. */
interface Channel {
  /** Known once the features are. */
  at: ConnectedSwitch | undefined;
  /** The barrier that ends the handshake; 0 once it has. */
  barrier: number;
  isUp: boolean;
}

/**
 * The switches of a controller and their handshakes: hello, features, configuration, deletion of all entries, and a barrier, whose
 * answer means that the switch is up.
 */
export class Switches {
  private readonly channels = new Map<string, Channel>();

  constructor(
    private readonly io: ControllerIo,
    private readonly listener: SwitchListener,
    private readonly options: SwitchesOptions = {},
  ) {}

  /** Those that are up, by their number. */
  get all(): ConnectedSwitch[] {
    const up = [...this.channels.values()].flatMap(({ at, isUp }) => (isUp && at !== undefined ? [at] : []));
    return up.toSorted((a, b) => a.dpid - b.dpid);
  }

  of(dpid: number): ConnectedSwitch | undefined {
    return this.all.find((one) => one.dpid === dpid);
  }

  receive(received: Received, from: string): void {
    const message = received as Message | Closed;
    if (message.type === 'hello') this.greet(message, from);
    if (message.type === 'echo_request') this.io.send(from, { ...message, type: 'echo_reply' });
    if (message.type === 'closed') this.close(from);
    const channel = this.channels.get(from);
    if (channel === undefined) {
      if (message.type !== 'closed') this.listener.late?.(from);
      return;
    }
    if (message.type === 'features_reply') this.shakeHands(channel, message, from);
    else if (channel.at !== undefined) this.hear(channel, channel.at, message);
  }

  /** Ends the channel of a switch, which may connect again. */
  drop(at: ConnectedSwitch): void {
    this.io.send(at.channel, { type: 'closed' });
    this.forget(at);
  }

  /** Counts a switch as gone. */
  forget(at: ConnectedSwitch): void {
    this.close(at.channel);
  }

  /** The switch is up again once this handshake is complete. */
  shakeHandsAgain(at: ConnectedSwitch): void {
    at.send({ type: 'features_request', xid: 0 });
  }

  private greet(hello: Message, from: string): void {
    this.close(from);
    this.channels.set(from, { at: undefined, barrier: 0, isUp: false });
    this.io.send(from, hello);
    this.io.send(from, { type: 'features_request', xid: 0 });
  }

  private shakeHands(channel: Channel, { datapathId, ports }: FeaturesReply, from: string): void {
    const at = new ConnectedSwitch(Number(datapathId), from, this.io);
    for (const port of ports) if (typeof port.portNo === 'number') at.ports.set(port.portNo, port);
    channel.at = at;
    at.send({ type: 'set_config', xid: 0, flags: [], missSendLen: 0xff_ff });
    if (this.options.keepsEntries?.() !== true) at.deleteFlows();
    channel.barrier = at.barrier();
  }

  private hear(channel: Channel, at: ConnectedSwitch, message: Message | Closed): void {
    if (message.type === 'port_status') notePort(at, message);
    if (message.type === 'barrier_reply' && message.xid === channel.barrier) return this.complete(channel, at);
    if (!channel.isUp && !(this.options.hearsEarly === true && message.type === 'packet_in')) return;
    const { listener } = this;
    if (message.type === 'packet_in') this.hearPacket(message, at);
    if (message.type === 'port_status') listener.portStatus(message, at);
    if (message.type === 'flow_removed') listener.flowRemoved?.(message, at);
    if (message.type === 'barrier_reply') listener.barrierReply?.(message.xid, at);
    if (message.type === 'error') listener.error?.(message, at);
  }

  private hearPacket(message: PacketIn, at: ConnectedSwitch): void {
    const [{ inPort }, frame] = [message, parseFrame(message.data)];
    if (frame !== undefined && typeof inPort === 'number') this.listener.packetIn({ ...message, inPort, frame }, at);
  }

  private complete(channel: Channel, at: ConnectedSwitch): void {
    channel.barrier = 0;
    channel.isUp = true;
    this.io.log(`${at.name} is up`);
    this.listener.up(at);
  }

  private close(from: string): void {
    const channel = this.channels.get(from);
    this.channels.delete(from);
    if (channel?.at === undefined || !channel.isUp) return;
    this.io.log(`${channel.at.name} is down`);
    this.listener.down(channel.at);
  }
}

function notePort({ ports }: ConnectedSwitch, { reason, desc }: PortStatus): void {
  if (typeof desc.portNo !== 'number') return;
  if (reason === 'delete') ports.delete(desc.portNo);
  else ports.set(desc.portNo, desc);
}
