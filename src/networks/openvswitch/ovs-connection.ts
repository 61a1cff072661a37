import { join } from 'node:path';
import { isLive, type Connection, type LiveProgram } from '../../hosts/live/connector.ts';
import type { Child } from '../../hosts/live/process/child.ts';
import type { TcpConnection } from '../../hosts/live/tcp/tcp.ts';
import type { Hex } from '../bytes/data.ts';
import { BadNetwork } from '../network/names.ts';
import type { NetworkMessage } from '../network/network-switch-state.ts';
import { noteFrame, type StationRecord } from '../network/station.ts';
import { endText, laneOfLink, type LinkEnd } from '../topology/topology.ts';
import { liveSwitchState, type LiveSwitchState } from './live-switch-state.ts';
import { ManagementChannel, type KnownSwitch } from './management-channel.ts';
import { setControllers } from './ovs-database.ts';
import { DATABASE_SOCKET, MANAGEMENT_SOCKET } from './ovs-script.ts';
import { PortStreams } from './port-streams.ts';
import { WhenAllStarted } from './when-all-started.ts';

/** A switch of Open vSwitch, and what it is joined to. */
export interface JoinedOvs {
  readonly ports: readonly { readonly portNo: number; readonly hwAddr: string }[];
  /** The names of the processes that control it. */
  readonly controllers: readonly string[];
  /** The other ends of its links, by port. */
  readonly peers: ReadonlyMap<number, LinkEnd>;
  /** 0 for never. */
  readonly echoMs: number;
}

/** One life of a switch: its channels to controllers, which it opens by itself, and its ports. */
export class OvsConnection implements Connection {
  private streams: PortStreams | undefined;
  private management: ManagementChannel | undefined;
  private known: KnownSwitch = { flows: [], ports: [] };
  private readonly stations: Record<string, StationRecord> = {};

  constructor(
    private readonly ovs: JoinedOvs,
    private readonly program: LiveProgram,
    private readonly channels: TcpConnection,
  ) {}

  async started(child: Child): Promise<void> {
    this.channels.started(child);
    const ports = this.ovs.ports.map(({ portNo }) => portNo);
    this.streams = await PortStreams.listen(this.program.place.dir, ports, (port, packet) => this.left(port, packet));
    const { io } = this.program;
    // It gives a controller a second to say hello, and then connects again: the start of another process takes as long.
    io.shared(WhenAllStarted.open).add([...io.declared.keys()], () => {
      this.setControllers(this.ovs.controllers).catch((error: unknown) => io.failed(error));
    });
  }

  /** It connects to these controllers, and to no others. */
  private async setControllers(names: readonly string[]): Promise<void> {
    const { place } = this.program;
    const { echoMs } = this.ovs;
    const endpoints = names.flatMap((name) => place.announced(name) ?? []);
    await setControllers(
      join(place.dir, DATABASE_SOCKET),
      endpoints.map((endpoint) => ({ ...endpoint, echoMs })),
    );
  }

  async isReady(): Promise<boolean> {
    if (this.streams?.areConnected !== true) return false;
    this.management ??= await ManagementChannel.open(join(this.program.place.dir, MANAGEMENT_SOCKET));
    return this.management !== undefined;
  }

  /** A frame has left through a port. */
  private left(port: number, packet: Hex): void {
    const { io } = this.program;
    const peer = this.ovs.peers.get(port);
    if (peer === undefined) noteFrame(this.stations, { name: endText(this.end(port)) }, packet, io.clock.nowMs);
    else io.send(peer.switch, { type: 'frame', port: peer.port, packet }, { lane: this.laneTo(peer, port) });
  }

  private end(port: number): LinkEnd {
    return { switch: this.program.place.name, port };
  }

  /** Both ends of a link call its lane the same. */
  private laneTo(peer: LinkEnd, port: number): string {
    const own = this.end(port);
    return laneOfLink({ ends: endText(own) < endText(peer) ? [own, peer] : [peer, own] });
  }

  async deliver(message: unknown, from: string, lane: string | undefined): Promise<void> {
    // It may be anything that a user sends.
    const given = Object(message) as NetworkMessage;
    if (given.type === 'frame') this.arrive(given, from);
    else if (given.type === 'link') await this.management?.setPort(this.portOn(given), given.isUp);
    else if (given.type === 'control_failure') await this.setControllers([]);
    else if (given.type === 'control_recovery') await this.setControllers(this.ovs.controllers);
    else if (isLive(this.program.io.declared.get(from))) await this.channels.deliver(message, from, lane);
    // The notice that a process is gone which is no program: it has no connection to the switch.
    else if (given.type !== 'closed')
      throw new BadNetwork(
        `${this.program.place.name} is a program, and takes no message of type ${JSON.stringify(given.type)} from ${from}.`,
        'It takes frames, news of links, control_failure and control_recovery.',
      );
  }

  private arrive({ port, packet }: { readonly port: number; readonly packet: Hex }, from: string): void {
    const end = endText(this.end(this.portCalled(port).portNo));
    if (isLive(this.program.io.declared.get(from)) && this.ovs.peers.get(port)?.switch !== from)
      throw new BadNetwork(
        `${from} has a link to ${end}, which has none to ${from}.`,
        'Give both switches of a link the other end, in `links` of openVSwitch.',
      );
    if (!/^(?:[\da-f]{2})+$/i.test(packet))
      throw new BadNetwork(
        `a frame for ${end} is no hexadecimal text: ${JSON.stringify(packet)}.`,
        'buildFrame(…) gives the text of a frame.',
      );
    this.streams?.write(port, packet);
  }

  private portCalled(portNo: number): JoinedOvs['ports'][number] {
    const port = this.ovs.ports.find((one) => one.portNo === portNo);
    if (port !== undefined) return port;
    throw new BadNetwork(
      `${this.program.place.name} has no port ${portNo}.`,
      `Its ports are 1 to ${this.ovs.ports.length}.`,
    );
  }

  /** The port that news of a link are about: they name it, or the other end and the lane. */
  private portOn(news: Extract<NetworkMessage, { type: 'link' }>): JoinedOvs['ports'][number] {
    if ('port' in news) return this.portCalled(news.port);
    const found = [...this.ovs.peers].find(
      ([port, peer]) => peer.switch === news.peer && [undefined, this.laneTo(peer, port)].includes(news.lane),
    );
    if (found !== undefined) return this.portCalled(found[0]);
    const { name } = this.program.place;
    throw new BadNetwork(`${name} has no link to ${news.peer}.`, `Check \`links\` of the system and of ${name}.`);
  }

  async reacted(): Promise<void> {
    this.known = (await this.management?.look()) ?? this.known;
  }

  view(): LiveSwitchState {
    return liveSwitchState(this.known, this.stations);
  }

  async close(): Promise<void> {
    this.management?.close();
    await this.streams?.close();
    await this.channels.close();
  }
}
