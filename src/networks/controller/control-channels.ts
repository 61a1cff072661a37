import type { Socket } from 'node:net';
import { isLive, type Connection, type Connector, type LiveProgram, type Place } from '../../hosts/live/connector.ts';
import type { MultiplexedSocket } from '../../hosts/live/inside/multiplexed-socket.ts';
import type { Child } from '../../hosts/live/process/child.ts';
import { ownPort, type ListeningPort } from '../../hosts/live/tcp/joined-program.ts';
import { TcpConnection } from '../../hosts/live/tcp/tcp.ts';
import { nothingPasses, tcpSettings } from '../../hosts/live/tcp/tcp-options.ts';
import { NotReady } from '../../kernel/errors.ts';
import type { Message } from '../openflow/messages.ts';
import { openflow10 } from '../openflow/openflow10.ts';
import type { Received } from '../openflow/protocol.ts';
import type { SwitchMessage } from '../switch/switch-state.ts';
import { ControlConnection } from './control-connection.ts';
import type { PeerPort } from './controller-peers.ts';
import { FlowControl } from './flow-control.ts';
import { openedSocket } from './opened-socket.ts';
import { openflowFrames } from './openflow-frames.ts';
import { versionProblem } from './versions.ts';

/** A switch does not connect again sooner than this to a controller that has closed its channel: the same could happen forever. */
const AGAIN_MS = 1_000;

const ofSwitches = tcpSettings(openflowFrames, {});

/** Where a controller listens: for switches that are programs, and for peers. */
function portsOf(place: Place, peers: PeerPort | undefined): ListeningPort[] {
  const port = ownPort(place, ofSwitches);
  if (port === undefined || peers === undefined) return port === undefined ? [] : [port];
  const at = { own: { ...port.own, port: peers.port }, announced: { ...port.announced, port: peers.port } };
  return [port, { ...at, settings: peers.settings }];
}

/**
 * The channels between a controller, which is a program, and switches: a TCP connection for each. Every message is held by the kernel,
 * and read or written when it is delivered. Switches that are processes of ours get their connections here; those that are programs,
 * and other controllers, connect by themselves. The controller has to say something on its first connection within `helloMs`.
 */
export const controlChannels = (helloMs: number, peers: PeerPort | undefined): Connector => ({
  announces: true,
  isDirect: true,
  // Threads and timers are the rule in controllers: what they send may come late, and replays must not hold it back.
  messagesAreOurs: false,
  mustGetReady: true,
  multiplexes: true,
  async join(program) {
    const ports = portsOf(program.place, peers);
    const programs = await TcpConnection.join({ ...program, ports, passing: nothingPasses });
    return new ControlChannels(program, helloMs, programs, peers !== undefined);
  },
});

class ControlChannels implements Connection {
  /** By the name of the switch. */
  private readonly connections = new Map<string, ControlConnection>();
  private readonly flowControl: FlowControl;
  private hasSaidSomething = false;

  constructor(
    private readonly program: LiveProgram,
    private readonly helloMs: number,
    private readonly programs: TcpConnection,
    private readonly hasPeers: boolean,
  ) {
    this.flowControl = program.io.shared(FlowControl.open);
  }

  started(child: Child): void {
    this.programs.started(child);
  }

  async deliver(message: unknown, from: string, lane: string | undefined): Promise<void> {
    if (isLive(this.program.io.declared.get(from))) return await this.programs.deliver(message, from, lane);
    const given = message as SwitchMessage;
    if (given.type === 'hello') await this.connect(from, given.xid);
    const connection = this.connections.get(from);
    if (given.type === 'closed') {
      connection?.end();
      this.connections.delete(from);
    } else if (connection?.write(bytesOf(given)) !== true) this.program.io.observe('undelivered', { from });
    if (given.type === 'hello' && connection !== undefined) await this.firstMessage(connection);
  }

  /** A switch says hello: on a new connection, unless it only says so again. */
  private async connect(name: string, number: number): Promise<void> {
    const { io, place, multiplexer } = this.program;
    const before = this.connections.get(name);
    if (before?.isOpen === true && before.number === number) return;
    before?.break();
    this.connections.delete(name);
    const isTooSoon = before !== undefined && io.clock.nowMs - before.openedMs < AGAIN_MS;
    if (place.own === undefined || (isTooSoon && !before.isOpen)) return;
    const from = place.addressOf(name);
    const socket =
      multiplexer?.connect(place.own.port, from) ?? (await openedSocket(place.own, from, `${name} to ${place.name}`));
    if (socket === undefined) return io.observe('refuses connection', { from: name });
    this.hold(name, socket, number, io.clock.nowMs);
  }

  private hold(name: string, socket: Socket | MultiplexedSocket, number: number, openedMs: number): void {
    const connection = new ControlConnection(socket, number, openedMs, {
      received: (received) => this.take(name, number, received),
      closed: (how, unfinishedBytes) => this.closed(name, how, unfinishedBytes),
      paused: () => this.flowControl.add({ connection, controller: this.program.place.name, switch: name }),
    });
    this.connections.set(name, connection);
  }

  /** Only the connections of switches of ours continue with a copy of the controller. */
  checkpoint(): ((copy: LiveProgram) => Connection) | undefined {
    const { helloMs, programs, hasPeers, hasSaidSomething } = this;
    const open = [...this.connections].flatMap(([name, { continuesAs: id, number, openedMs }]) =>
      id === undefined ? [] : [{ name, id, number, openedMs }],
    );
    if (hasPeers || open.length < this.connections.size) return undefined;
    return (copy) => {
      const channels = new ControlChannels(copy, helloMs, programs, hasPeers);
      channels.hasSaidSomething = hasSaidSomething;
      for (const { name, id, number, openedMs } of open) {
        const socket = copy.multiplexer?.continue(id);
        if (socket !== undefined) channels.hold(name, socket, number, openedMs);
      }
      return channels;
    };
  }

  private take(name: string, number: number, received: Received<Message>): void {
    const { io } = this.program;
    this.hasSaidSomething = true;
    if (received.kind !== 'message')
      return io.send(name, { type: 'bytes', bytes: Buffer.from(received.bytes).toString('hex') });
    const { message } = received;
    const problem = versionProblem(this.program.place.name, message);
    if (problem !== undefined) io.failed(problem);
    // Every hello of this connection answers that of the switch, so it has its number.
    else io.send(name, message.type === 'hello' ? { ...message, xid: number } : message);
  }

  private closed(name: string, how: 'closes' | 'breaks', unfinishedBytes: number): void {
    const { io } = this.program;
    io.observe(`${how} connection`, { to: name, ...(unfinishedBytes === 0 ? {} : { unfinishedBytes }) });
    io.send(name, { type: 'closed' });
  }

  /** A controller that never says anything cannot be tested. */
  private async firstMessage(connection: ControlConnection): Promise<void> {
    if (this.hasSaidSomething) return;
    const { io, place } = this.program;
    await io.clock.wait(this.helloMs, (wake) => void connection.hasHeard.then(wake));
    if (this.hasSaidSomething || !connection.isOpen) return;
    throw new NotReady(
      place.name,
      `it accepted a connection, and sent no hello within ${this.helloMs / 1000} s.`,
      'Make sure that it speaks OpenFlow at this port.',
    );
  }

  async close(): Promise<void> {
    for (const connection of this.connections.values()) connection.break();
    await this.programs.close();
  }
}

const bytesOf = (message: SwitchMessage): Uint8Array =>
  message.type === 'bytes' ? Buffer.from(message.bytes, 'hex') : openflow10.encode(message as Message);
