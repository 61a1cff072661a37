import type { PortStatus } from 'culprit/networks';
import type { App, AppOptions, ControllerIo, Received } from '../base/app.ts';
import { isDown, output, type ConnectedSwitch } from '../base/connected-switch.ts';
import { Discovery, isAt, linkName, type Link, type LinkEvent } from '../base/discovery.ts';
import type { Place } from '../base/lldp.ts';
import { Switches, type PacketAt, type SwitchListener } from '../base/switches.ts';
import { spanningTree } from './spanning-tree.ts';

/** Without a change for so long, discovery has found what there is. */
const SETTLE_MS = 2_000;
const FLUSH_MS = 30_000;

/** The output ports of each input port of a switch. */
type Entries = ReadonlyMap<number, readonly number[]>;

/**
 * Floods every packet along a spanning tree, by entries that are there before any packet is. A port without a known link is an egress
 * port: a station may be behind it. Bug `hasty`: it does not wait until discovery has settled, and floods into every port that has come
 * up before it is known whether a link is there.
 */
export class Hub implements App, SwitchListener {
  private readonly switches: Switches;
  private readonly discovery: Discovery;
  /** As far as the hub has heard of them, by their names. */
  private links = new Map<string, Link>();
  private readonly installed = new Map<number, Entries>();
  private settling: ReturnType<ControllerIo['setTimeout']> | undefined;

  constructor(
    private readonly io: ControllerIo,
    private readonly options: Pick<AppOptions, 'bug'>,
  ) {
    this.switches = new Switches(io, this);
    this.discovery = new Discovery(io, this.switches, (event) => this.linkChanged(event), { heedsPorts: false });
    const flush = (): void => this.flush();
    io.setInterval(flush, FLUSH_MS);
  }

  receive(message: Received, from: string): void {
    this.switches.receive(message, from);
  }

  view(): object {
    return { links: [...this.links.keys()].toSorted() };
  }

  up(at: ConnectedSwitch): void {
    this.installed.delete(at.dpid);
    this.discovery.up(at);
    this.changed();
  }

  down(at: ConnectedSwitch): void {
    this.discovery.down(at);
    this.changed();
  }

  packetIn(packet: PacketAt, from: ConnectedSwitch): void {
    this.discovery.take(packet, from);
  }

  portStatus(status: PortStatus, at: ConnectedSwitch): void {
    this.discovery.portStatus(status, at);
    const { desc } = status;
    if (typeof desc.portNo !== 'number') return;
    // Discovery keeps a link until it expires.
    if (isDown(desc)) this.forgetLinksAt({ dpid: at.dpid, port: desc.portNo });
    this.changed();
  }

  private linkChanged(event: LinkEvent): void {
    if (event.isNew) this.links.set(linkName(event), event);
    else this.links.delete(linkName(event));
    this.changed();
  }

  private forgetLinksAt(place: Place): void {
    for (const [name, { from, to }] of this.links) if (isAt(from, place) || isAt(to, place)) this.links.delete(name);
  }

  private changed(): void {
    if (this.options.bug === 'hasty') return this.install();
    if (this.settling !== undefined) this.io.clearTimeout(this.settling);
    const settle = (): void => this.settle();
    this.settling = this.io.setTimeout(settle, SETTLE_MS);
  }

  /** Takes over the links that discovery knows, whether or not they were announced as new, and installs. */
  private settle(): void {
    this.links = new Map(
      this.discovery.links.filter((link) => this.isUsable(link)).map((link) => [linkName(link), link]),
    );
    this.install();
  }

  /** Deletes all entries from time to time, and installs those that are right by then. */
  private flush(): void {
    for (const at of this.switches.all) {
      at.deleteFlows();
      this.installed.delete(at.dpid);
      this.discovery.up(at);
    }
    this.settle();
  }

  private isUsable({ from, to }: Link): boolean {
    return [from, to].every(({ dpid, port }) => {
      const known = this.switches.of(dpid)?.ports.get(port);
      return known !== undefined && !isDown(known);
    });
  }

  private install(): void {
    const tree = spanningTree([...this.links.values()]);
    for (const at of this.switches.all) this.update(at, this.entriesOf(at, tree));
  }

  private entriesOf({ dpid, ports }: ConnectedSwitch, tree: readonly Place[]): Entries {
    const isOf = (port: number, places: readonly Place[]): boolean => places.some((one) => isAt(one, { dpid, port }));
    const ends = [...this.links.values()].flatMap(({ from, to }) => [from, to]);
    const floods = [...ports.values()].flatMap((port) => {
      const number = port.portNo as number;
      return !isDown(port) && (isOf(number, tree) || !isOf(number, ends)) ? [number] : [];
    });
    return new Map(floods.map((port) => [port, floods.filter((other) => other !== port)]));
  }

  /** Sends what differs from the entries that the switch has. */
  private update(at: ConnectedSwitch, wanted: Entries): void {
    const before = this.installed.get(at.dpid) ?? new Map<number, readonly number[]>();
    for (const inPort of before.keys()) if (!wanted.has(inPort)) at.deleteFlows({ match: { inPort } });
    for (const [inPort, ports] of wanted)
      if (before.get(inPort)?.join() !== ports.join())
        at.addFlow({ match: { inPort }, actions: ports.map((port) => output(port)) });
    this.installed.set(at.dpid, wanted);
  }
}
