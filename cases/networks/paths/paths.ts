import type { Frame, PortStatus } from 'culprit/networks';
import type { App, AppOptions, ControllerIo, Received } from '../base/app.ts';
import { isDown, type ConnectedSwitch } from '../base/connected-switch.ts';
import { Discovery, linkName, type LinkEvent } from '../base/discovery.ts';
import { Switches, type PacketAt, type SwitchListener } from '../base/switches.ts';
import { Floods } from './floods.ts';
import { PathInstaller } from './path-installer.ts';
import { adjacencyOf, shortestPath, type PathStep } from './shortest-paths.ts';
import { Stations } from './stations.ts';

/** Forwards packets along shortest paths over the links that it has discovered. */
export class Paths implements App, SwitchListener {
  private readonly switches: Switches;
  private readonly discovery: Discovery;
  private readonly stations = new Stations();
  private readonly floods: Floods;
  private readonly paths: PathInstaller;
  private readonly bug: string;

  constructor(
    private readonly io: ControllerIo,
    { bug, pace }: AppOptions,
  ) {
    this.bug = bug;
    this.switches = new Switches(io, this, { hearsEarly: bug === 'early' });
    this.discovery = new Discovery(io, this.switches, (event) => this.linkChanged(event));
    this.floods = new Floods(io);
    this.paths = new PathInstaller(this.switches, pace);
  }

  receive(message: Received, from: string): void {
    this.switches.receive(message, from);
  }

  view(): object {
    return { stations: this.stations.view(), links: this.discovery.links.map(linkName) };
  }

  up(at: ConnectedSwitch): void {
    this.discovery.up(at);
  }

  down(at: ConnectedSwitch): void {
    this.discovery.down(at);
    this.stations.forgetOf(at.dpid);
  }

  barrierReply(xid: number, from: ConnectedSwitch): void {
    this.paths.barrierReply(xid, from);
  }

  packetIn(packet: PacketAt, from: ConnectedSwitch): void {
    if (this.discovery.take(packet, from)) return;
    const { frame, inPort } = packet;
    const place = { dpid: from.dpid, port: inPort };
    if (!this.discovery.isLinkAt(place)) this.learn(frame, place);
    const to = this.stations.get(frame.dlDst);
    if (isMulticast(frame.dlDst) || to === undefined) return this.floods.flood(packet, from);
    // The packet has left its path.
    if (this.discovery.isLinkAt(place)) return;
    this.forward(packet, from, to);
  }

  portStatus(status: PortStatus, from: ConnectedSwitch): void {
    this.discovery.portStatus(status, from);
    const { portNo } = status.desc;
    if (typeof portNo !== 'number' || !isDown(status.desc) || this.bug === 'migrate') return;
    for (const mac of this.stations.forgetAt({ dpid: from.dpid, port: portNo })) this.paths.removeTo(mac);
  }

  private learn({ dlSrc }: Frame, place: PathStep): void {
    const before = this.stations.get(dlSrc);
    if (isMulticast(dlSrc) || (before?.dpid === place.dpid && before.port === place.port)) return;
    this.io.log(`${dlSrc} is at s${place.dpid}.${place.port}`);
    this.stations.learn(dlSrc, place);
  }

  private forward(packet: PacketAt, from: ConnectedSwitch, to: PathStep): void {
    if (to.dpid === from.dpid && to.port === packet.inPort) return;
    const adjacency = adjacencyOf(this.discovery.links);
    const path = shortestPath(adjacency, from.dpid, to);
    if (path === undefined) return this.floods.flood(packet, from);
    const inPorts = path.map(({ dpid }, nth) => {
      const before = path[nth - 1];
      return before === undefined ? packet.inPort : adjacency.get(dpid)?.get(before.dpid);
    });
    this.paths.install(path, packet, from, inPorts);
  }

  private linkChanged({ from, to }: LinkEvent): void {
    this.paths.removeAll();
    for (const end of [from, to]) this.stations.forgetAt(end);
  }
}

const isMulticast = (mac: string): boolean => (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1;
