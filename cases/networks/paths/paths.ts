import type { Frame, PortStatus } from 'culprit/networks';
import type { App, AppOptions, ControllerIo, Received } from '../base/app.ts';
import { isDown, type ConnectedSwitch } from '../base/connected-switch.ts';
import { Discovery, linkName, type LinkEvent } from '../base/discovery.ts';
import { Keepalive } from '../base/keepalive.ts';
import type { Place } from '../base/lldp.ts';
import { Switches, type PacketAt, type SwitchListener } from '../base/switches.ts';
import { Floods } from './floods.ts';
import { PathInstaller } from './path-installer.ts';
import { MemoryCorruption, MemoryLeak, TimerInterleaving, WrongCall, type Planted } from './planted.ts';
import { Protection } from './protection.ts';
import { adjacencyOf, shortestPath, type Adjacency, type PathStep } from './shortest-paths.ts';
import { Stations } from './stations.ts';

/** Forwards packets along shortest paths over the links that it has discovered. */
export class Paths implements App, SwitchListener {
  private readonly switches: Switches;
  private readonly discovery: Discovery;
  private readonly keepalive: Keepalive | undefined;
  private readonly stations = new Stations();
  private readonly floods: Floods;
  private readonly paths: PathInstaller;
  private readonly protection: Protection;
  private readonly planted: Planted;
  private readonly bug: string;

  constructor(
    private readonly io: ControllerIo,
    { bug, pace, given }: AppOptions,
  ) {
    this.bug = bug;
    this.switches = new Switches(io, this, { hearsEarly: bug === 'early' });
    this.discovery = new Discovery(io, this.switches, (event) => this.linkChanged(event));
    const echoMs = 1_000 * Number(given['keepalive'] ?? 0);
    if (echoMs > 0) this.keepalive = new Keepalive(io, this.switches, (at) => this.silent(at), echoMs);
    this.floods = new Floods(io);
    this.paths = new PathInstaller(this.switches, pace);
    this.protection = new Protection(given['servers']?.split(',') ?? [], bug === 'overlap');
    this.planted = plantedBy(bug, io, Number(given['max'] ?? Infinity));
  }

  receive(message: Received, from: string): void {
    this.keepalive?.heard(from);
    this.switches.receive(message, from);
  }

  view(): object {
    return { stations: this.stations.view(), links: this.discovery.links.map(linkName) };
  }

  up(at: ConnectedSwitch): void {
    this.planted.up?.(at);
    this.discovery.up(at);
    this.protection.restore(at);
  }

  down(at: ConnectedSwitch): void {
    this.keepalive?.down(at);
    this.discovery.down(at);
    this.stations.forgetOf(at.dpid);
  }

  barrierReply(xid: number, from: ConnectedSwitch): void {
    this.paths.barrierReply(xid, from);
  }

  packetIn(packet: PacketAt, from: ConnectedSwitch): void {
    if (this.discovery.take(packet, from)) return this.planted.discoveryFrame?.();
    const { frame, inPort } = packet;
    const place = { dpid: from.dpid, port: inPort };
    const isOnLink = this.discovery.isLinkAt(place);
    if (!isOnLink || (this.bug === 'inflight' && this.stations.get(frame.dlSrc) === undefined))
      this.learn(frame, place);
    if (!isOnLink) this.protection.hear(frame, from);
    const to = this.stations.get(frame.dlDst);
    if (isMulticast(frame.dlDst) || to === undefined) return this.floods.flood(packet, from);
    // The packet has left its path.
    if (isOnLink && this.bug !== 'inflight') return;
    this.forward(packet, from, to);
  }

  portStatus(status: PortStatus, from: ConnectedSwitch): void {
    this.planted.portStatus?.(status, from);
    this.discovery.portStatus(status, from);
    const { portNo } = status.desc;
    if (typeof portNo !== 'number' || !isDown(status.desc) || this.bug === 'migrate') return;
    for (const mac of this.stations.forgetAt({ dpid: from.dpid, port: portNo })) this.paths.removeTo(mac);
  }

  /** Bug `null`: the channel stays open, and its next message finds no switch. */
  private silent(at: ConnectedSwitch): void {
    if (this.bug === 'null') this.switches.forget(at);
    else this.switches.drop(at);
  }

  late(): void {
    if (this.bug === 'null') throw new TypeError("Cannot read properties of null (reading 'dpid')");
  }

  private learn({ dlSrc }: Frame, place: Place): void {
    const before = this.stations.get(dlSrc);
    if (isMulticast(dlSrc) || (before?.dpid === place.dpid && before.port === place.port)) return;
    this.io.log(`${dlSrc} is at s${place.dpid}.${place.port}`);
    // Its new switch may say so before its old one reports the port that it has left.
    if (before !== undefined) this.paths.removeTo(dlSrc);
    this.stations.learn(dlSrc, place);
  }

  private forward(packet: PacketAt, from: ConnectedSwitch, to: Place): void {
    if (to.dpid === from.dpid && to.port === packet.inPort && this.bug !== 'inflight') return;
    const adjacency = adjacencyOf(this.discovery.links);
    const circle = this.bug === 'floyd' ? circleFrom(adjacency, from.dpid, to.dpid) : undefined;
    const path = circle ?? shortestPath(adjacency, from.dpid, to);
    if (path === undefined) return this.floods.flood(packet, from);
    const inPorts = path.map(({ dpid }, nth) => {
      const before = path[nth - 1];
      return before === undefined ? packet.inPort : adjacency.get(dpid)?.get(before.dpid);
    });
    this.paths.install(path, packet, from, circle === undefined ? inPorts : []);
  }

  private linkChanged({ from, to, isNew }: LinkEvent): void {
    for (const { dpid } of isNew ? [from, to] : [])
      if (this.switches.of(dpid) === undefined) throw new Error(`a link of s${dpid}, which is not connected`);
    this.planted.linkChanged?.();
    this.paths.removeAll();
    for (const at of this.switches.all) this.protection.restore(at);
    for (const end of [from, to]) this.stations.forgetAt(end);
  }
}

function plantedBy(bug: string, io: ControllerIo, max: number): Planted {
  if (bug === 'leak') return new MemoryLeak(max);
  if (bug === 'corrupt') return new MemoryCorruption();
  if (bug === 'connect') return new WrongCall();
  return bug === 'timer' ? new TimerInterleaving(io) : {};
}

/** Bug `floyd`: the way from switch 1 to switch 3 does not end there, but where it began. */
function circleFrom(adjacency: Adjacency, from: number, to: number): PathStep[] | undefined {
  if (from !== 1 || to !== 3) return undefined;
  const circle = [1, 2, 3].map((dpid) => ({ dpid, port: adjacency.get(dpid)?.get((dpid % 3) + 1) ?? 0 }));
  return circle.every(({ port }) => port > 0) ? circle : undefined;
}

const isMulticast = (mac: string): boolean => (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1;
