import type { PortStatus } from 'culprit/networks';
import type { App, AppOptions, ControllerIo, Received } from '../base/app.ts';
import { isDown, output, type ConnectedSwitch } from '../base/connected-switch.ts';
import { Discovery, isAt, linkName, type LinkEvent } from '../base/discovery.ts';
import { FloodedPackets } from '../base/flooded-packets.ts';
import type { Place } from '../base/lldp.ts';
import { Switches, type PacketAt, type SwitchListener } from '../base/switches.ts';
import { Floods } from '../paths/floods.ts';
import { adjacencyOf, shortestPath } from '../paths/shortest-paths.ts';
import { Stations } from '../paths/stations.ts';

/**
 * Routes packets over the links that it knows so far, which it finds in a random order: an entry for both addresses at each switch of
 * the path. Packets for unknown stations are flooded, switch by switch.
 *
 * Bug `copies`: a copy of a flooded packet that arrives at a switch without known links counts as the packet of a station that has moved
 * there.
 */
export class Routing implements App, SwitchListener {
  private readonly switches: Switches;
  private readonly discovery: Discovery;
  private readonly stations = new Stations();
  private readonly floods: Floods;
  private readonly flooded: FloodedPackets;

  constructor(
    private readonly io: ControllerIo,
    private readonly options: Pick<AppOptions, 'bug'>,
  ) {
    this.switches = new Switches(io, this);
    this.discovery = new Discovery(io, this.switches, (event) => this.linkChanged(event), { inRandomOrder: true });
    this.floods = new Floods(io);
    this.flooded = new FloodedPackets(io);
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
  }

  packetIn(packet: PacketAt, from: ConnectedSwitch): void {
    if (this.discovery.take(packet, from)) return;
    const place = { dpid: from.dpid, port: packet.inPort };
    this.learn(packet, place);
    const target = this.stations.get(packet.frame.dlDst);
    if (target === undefined || !this.route(packet, from, target)) this.flood(packet, from, place);
  }

  portStatus(status: PortStatus, from: ConnectedSwitch): void {
    this.discovery.portStatus(status, from);
    const { portNo } = status.desc;
    if (typeof portNo === 'number' && isDown(status.desc)) from.deleteFlows({ outPort: portNo });
  }

  private learn({ data, frame: { dlSrc } }: PacketAt, place: Place): void {
    const before = this.stations.get(dlSrc);
    if (this.discovery.isLinkAt(place) || (before !== undefined && isAt(before, place))) return;
    const counts = this.options.bug === 'copies' && !this.hasLinks(place);
    if (this.flooded.isCopy(data, place) && !counts) return;
    this.io.log(`${dlSrc} is at s${place.dpid}.${place.port}`);
    this.stations.learn(dlSrc, place);
  }

  private hasLinks({ dpid }: Place): boolean {
    return this.discovery.links.some(({ from, to }) => from.dpid === dpid || to.dpid === dpid);
  }

  private flood(packet: PacketAt, from: ConnectedSwitch, place: Place): void {
    if (!this.flooded.isCopy(packet.data, place)) this.flooded.add(packet.data, place);
    this.floods.flood(packet, from);
  }

  /** Sends the packet on its way, and those after it; false if no way is known. */
  private route({ frame, inPort, data }: PacketAt, from: ConnectedSwitch, target: Place): boolean {
    if (isAt(target, { dpid: from.dpid, port: inPort })) return true;
    const { links } = this.discovery;
    // A link works in both directions, in whichever it was found.
    const adjacency = adjacencyOf([...links, ...links.map((link) => ({ from: link.to, to: link.from }))]);
    const path = shortestPath(adjacency, from.dpid, target);
    const [first] = path ?? [];
    if (path === undefined || first === undefined) return false;
    const { dlSrc, dlDst } = frame;
    for (const { dpid, port } of path.toReversed())
      this.switches.of(dpid)?.addFlow({ match: { dlSrc, dlDst }, actions: [output(port)] });
    from.emit(data, first.port);
    return true;
  }

  /** Behind a link there is no station. */
  private linkChanged({ from, to, isNew }: LinkEvent): void {
    if (!isNew) return;
    for (const dlDst of [from, to].flatMap((end) => this.stations.forgetAt(end)))
      for (const at of this.switches.all) at.deleteFlows({ match: { dlDst } });
  }
}
