import type { PortStatus } from 'culprit/networks';
import type { App, AppOptions, Closed, ControllerIo, Received } from '../base/app.ts';
import { isDown, output, type ConnectedSwitch } from '../base/connected-switch.ts';
import { Discovery } from '../base/discovery.ts';
import { Switches, type PacketAt, type SwitchListener } from '../base/switches.ts';
import { Election } from './election.ts';
import { Registry } from './registry.ts';
import type { FromStore, StoredValue, ToStore } from './store.ts';

const STORE = 'store';

/**
 * One of several controllers that share a store. It enters its switches there, and links between its switches and those of others, which one of
 * the two controllers is responsible for. Every packet goes to all stations, and only over links that are usable.
 *
 * Bugs: `lock` of the registry, `election` of the election.
 */
export class Cluster implements App, SwitchListener {
  private readonly switches: Switches;
  private readonly discovery: Discovery;
  private readonly registry: Registry;
  private readonly election: Election;

  constructor(
    private readonly io: ControllerIo,
    { bug, given }: AppOptions,
  ) {
    const tell = (message: ToStore): void => io.send(STORE, message);
    this.switches = new Switches(io, this, { keepsEntries: () => true });
    this.discovery = new Discovery(io, this.switches, () => this.addLinks(), {
      hearsOthers: true,
      isNarrow: true,
    });
    this.registry = new Registry(io, tell, { isStrict: bug === 'lock', refuse: (dpid) => this.refuse(dpid) });
    this.election = new Election(io, tell, { keepsIds: bug === 'election', firstId: given['id'] });
    const join = (): void => tell({ type: 'join' });
    // There is no connection before the constructor is done.
    io.setTimeout(join, 0);
  }

  receive(received: Received, from: string): void {
    if (from !== STORE) return this.switches.receive(received, from);
    const message = received as FromStore | Closed;
    if (message.type === 'closed') throw new Error('the store is gone');
    if (message.type === 'joined') this.election.register(message.life);
    else if (message.type !== 'value') this.registry.answer(message);
    else this.learn(message);
  }

  view(): object {
    return { links: this.election.view() };
  }

  up(at: ConnectedSwitch): void {
    this.registry.enter(at.dpid);
    this.discovery.up(at);
    this.install(at);
  }

  down(at: ConnectedSwitch): void {
    this.discovery.down(at);
  }

  packetIn(packet: PacketAt, at: ConnectedSwitch): void {
    // Packets of stations are for the entries, once they are there.
    if (!this.discovery.take(packet, at)) at.sendPacket(packet, []);
  }

  portStatus(status: PortStatus, at: ConnectedSwitch): void {
    this.discovery.portStatus(status, at);
    const { portNo } = status.desc;
    if (typeof portNo === 'number') this.election.portChanged({ dpid: at.dpid, port: portNo }, !isDown(status.desc));
  }

  private learn(message: StoredValue): void {
    this.registry.learn(message);
    this.addLinks();
    if (this.election.learn(message)) for (const at of this.switches.all) this.install(at);
  }

  /** Links from switches of other controllers: whose they are, the store says. */
  private addLinks(): void {
    for (const { from, to } of this.discovery.links) {
      const other = this.registry.controllerOf(from.dpid);
      if (other !== undefined && other !== this.io.self) this.election.add({ here: to, there: from, other });
    }
  }

  /** The controller closes the channel of a switch. */
  private refuse(dpid: number): void {
    const at = this.switches.of(dpid);
    if (at !== undefined) this.switches.drop(at);
  }

  /** What comes in at a port goes to all others, apart from links that are not usable. */
  private install(at: ConnectedSwitch): void {
    const isUsable = (port: number): boolean => this.election.isUsable({ dpid: at.dpid, port });
    const ports = [...at.ports.keys()].filter(isUsable);
    for (const inPort of at.ports.keys()) {
      const others = isUsable(inPort) ? ports.filter((port) => port !== inPort) : [];
      at.addFlow({ match: { inPort }, actions: others.map((port) => output(port)) });
    }
  }
}
