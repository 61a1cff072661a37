import type { PortStatus } from 'culprit/networks';
import type { App, AppOptions, ControllerIo, Received } from '../base/app.ts';
import { isDown, type ConnectedSwitch } from '../base/connected-switch.ts';
import { Discovery, isAt, linkName } from '../base/discovery.ts';
import { BDDP, LLDP, type Place } from '../base/lldp.ts';
import { Switches, type PacketAt, type SwitchListener } from '../base/switches.ts';
import { adjacencyOf, shortestPath } from '../paths/shortest-paths.ts';
import { Stations } from '../paths/stations.ts';
import { EdgeFloods } from './edge-floods.ts';
import { Mastership } from './mastership.ts';
import { Routes, type Hop, type Pair } from './routes.ts';
import { Threads } from './threads.ts';

/**
 * Forwards packets along shortest paths between the attachment points of stations, and keeps the paths up to date when links come and
 * go. Two handlers, each in a thread, see every packet: one learns where its sender is attached, the other forwards it.
 *
 * Bugs: `moves`: a station that is seen at another port has moved, although its own port is still up. `trusting`: a controller that
 * takes over from another one trusts the entries that it finds.
 */
export class Forwarding implements App, SwitchListener {
  private readonly switches: Switches;
  private readonly discovery: Discovery;
  private readonly stations = new Stations();
  private readonly routes: Routes;
  private readonly floods: EdgeFloods;
  private readonly threads: Threads;
  private readonly mastership: Mastership;

  constructor(
    private readonly io: ControllerIo,
    private readonly options: AppOptions,
  ) {
    this.mastership = new Mastership(io, options.peers, () => this.takeOver());
    this.switches = new Switches(io, this, { keepsEntries: () => !this.mastership.isMaster });
    this.discovery = new Discovery(io, this.ownSwitches(), () => this.reroute(), { frameTypes: [LLDP, BDDP] });
    this.routes = new Routes(this.switches);
    this.floods = new EdgeFloods(io, this.switches, this.discovery);
    this.threads = new Threads(io, options.pace);
  }

  receive(message: Received, from: string): void {
    const isPeer = this.options.peers.includes(from);
    if (!this.mastership.take(message, from, isPeer)) this.switches.receive(message, from);
  }

  view(): object {
    const { isMaster } = this.mastership;
    return { isMaster, stations: this.stations.view(), links: this.discovery.links.map(linkName) };
  }

  up(at: ConnectedSwitch): void {
    if (!this.mastership.isMaster) return;
    this.routes.emptied(at.dpid);
    this.discovery.up(at);
    this.reroute();
  }

  down(at: ConnectedSwitch): void {
    this.discovery.down(at);
  }

  packetIn(packet: PacketAt, from: ConnectedSwitch): void {
    if (!this.mastership.isMaster || this.discovery.take(packet, from)) return;
    this.threads.race(
      () => this.learn(packet, from),
      () => this.forward(packet, from),
    );
  }

  /** A backup does not take part. */
  portStatus(status: PortStatus, from: ConnectedSwitch): void {
    if (!this.mastership.isMaster) return;
    this.discovery.portStatus(status, from);
    const { portNo } = status.desc;
    if (typeof portNo === 'number' && isDown(status.desc)) {
      this.stations.forgetAt({ dpid: from.dpid, port: portNo });
      from.deleteFlows({ outPort: portNo });
    }
    this.reroute();
  }

  private takeOver(): void {
    for (const at of this.switches.all)
      // Another handshake empties the table: the links may have changed since its entries were made.
      if (this.options.bug === 'trusting') this.discovery.up(at);
      else this.switches.shakeHandsAgain(at);
  }

  /** The switches that it controls: none while it is a backup. */
  private ownSwitches(): Pick<Switches, 'all'> {
    const all = (): ConnectedSwitch[] => (this.mastership.isMaster ? this.switches.all : []);
    return {
      get all() {
        return all();
      },
    };
  }

  private learn({ frame: { dlSrc }, inPort }: PacketAt, { dpid }: ConnectedSwitch): void {
    const place = { dpid, port: inPort };
    const before = this.stations.get(dlSrc);
    if (this.discovery.isLinkAt(place) || (before !== undefined && isAt(before, place))) return;
    // A copy that was flooded around a link that is not known yet looks like a station that has moved.
    if (before !== undefined && this.options.bug !== 'moves' && this.isUp(before)) return;
    this.io.log(`${dlSrc} is attached at s${dpid}.${inPort}`);
    this.stations.learn(dlSrc, place);
  }

  private isUp({ dpid, port }: Place): boolean {
    const known = this.switches.of(dpid)?.ports.get(port);
    return known !== undefined && !isDown(known);
  }

  private forward(packet: PacketAt, from: ConnectedSwitch): void {
    const { frame, inPort } = packet;
    const [place, source, target] = [
      { dpid: from.dpid, port: inPort },
      this.stations.get(frame.dlSrc),
      this.stations.get(frame.dlDst),
    ];
    const isOnItsWay = this.discovery.isLinkAt(place);
    // A packet of a station that is attached elsewhere is a copy.
    if (!isOnItsWay && source !== undefined && !isAt(source, place)) return;
    if (target === undefined) return isOnItsWay ? undefined : this.floods.flood(packet, place);
    const hops = this.hopsBetween(place, target);
    const [first] = hops;
    if (first === undefined) return;
    if (!isOnItsWay) this.routes.set(frame, hops);
    from.emit(packet.data, first.port);
  }

  /** Gives every pair of stations that has a route the best one over the links that are known now. */
  private reroute(): void {
    for (const { from, to } of this.discovery.links) for (const end of [from, to]) this.stations.forgetAt(end);
    for (const pair of this.routes.pairs) this.routes.set(pair, this.hopsOf(pair));
  }

  private hopsOf({ dlSrc, dlDst }: Pair): Hop[] {
    const [source, target] = [this.stations.get(dlSrc), this.stations.get(dlDst)];
    return source === undefined || target === undefined ? [] : this.hopsBetween(source, target);
  }

  /** None if there is no way, or if both are the same port. */
  private hopsBetween(source: Place, target: Place): Hop[] {
    if (isAt(source, target)) return [];
    const adjacency = adjacencyOf(this.discovery.links);
    const path = shortestPath(adjacency, source.dpid, target) ?? [];
    return path.map(({ dpid, port }, nth) => {
      const before = path[nth - 1];
      return { dpid, port, inPort: before === undefined ? source.port : (adjacency.get(dpid)?.get(before.dpid) ?? 0) };
    });
  }
}
