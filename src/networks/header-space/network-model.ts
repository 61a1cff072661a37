import type { NetworkState, PortView, StationPeer, SwitchView } from '../invariants/network-state.ts';
import { RuleTable } from './rule-table.ts';
import { setOf, type ValueSet } from './value-set.ts';

/** A switch with the index of its table. */
export interface ModelSwitch {
  readonly name: string;
  readonly table: RuleTable;
  readonly firstPorts: SwitchView['firstPorts'];
  ports: ReadonlyMap<number, PortView>;
  /** The ports where frames can arrive. */
  arrivals: ValueSet;
  /** By port, as far as they were asked for. */
  readonly destinations: Map<number, Destination>;
}

/** Why a frame that leaves through a port arrives nowhere. */
export type Loss = 'no such port' | 'port down' | 'link cut' | 'nothing attached' | 'not received';

/** Where a frame arrives that leaves through a port. */
export type Destination =
  | { readonly kind: 'switch'; readonly at: ModelSwitch; readonly port: number }
  | { readonly kind: 'station'; readonly station: StationPeer }
  | { readonly kind: 'lost'; readonly why: Loss };

const lost = (why: Loss): Destination => ({ kind: 'lost', why });

/** The switches, ports and links of a network. */
export class NetworkModel {
  private readonly byName: ReadonlyMap<string, ModelSwitch>;

  constructor({ switches }: NetworkState) {
    this.byName = new Map(switches.map((view) => [view.name, modelOf(view)]));
    for (const view of switches) wire(this.switchCalled(view.name), view.ports);
  }

  get switches(): Iterable<ModelSwitch> {
    return this.byName.values();
  }

  /** Undefined for a switch that is down. */
  findSwitch(name: string): ModelSwitch | undefined {
    return this.byName.get(name);
  }

  switchCalled(name: string): ModelSwitch {
    const found = this.byName.get(name);
    if (found === undefined) throw new Error(`there is no switch ${name}`);
    return found;
  }

  setPorts(name: string, ports: readonly PortView[]): void {
    for (const { destinations } of this.switches) destinations.clear();
    wire(this.switchCalled(name), ports);
  }

  /** Where a frame arrives that the switch sends through this port. */
  destinationOf(at: ModelSwitch, portNo: number): Destination {
    let destination = at.destinations.get(portNo);
    if (destination === undefined) at.destinations.set(portNo, (destination = this.findDestination(at, portNo)));
    return destination;
  }

  private findDestination(at: ModelSwitch, portNo: number): Destination {
    const port = at.ports.get(portNo);
    if (port === undefined) return lost('no such port');
    if (!sends(port)) return lost('port down');
    const { peer } = port;
    if (peer === undefined) return lost('nothing attached');
    if (port.linkIsUp === false) return lost('link cut');
    if (peer.kind === 'station') return { kind: 'station', station: peer };
    const other = this.byName.get(peer.name);
    const otherPort = other?.ports.get(peer.port);
    if (other === undefined || otherPort === undefined || !receives(otherPort)) return lost('not received');
    return { kind: 'switch', at: other, port: peer.port };
  }

  /** The ports through which a switch sends for `flood` and `all`, but for the one where the packet arrived. */
  floodedPorts(at: ModelSwitch, how: 'flood' | 'all'): number[] {
    const isOut = (port: PortView): boolean => sends(port) && (how === 'all' || !port.config.includes('no_flood'));
    return [...at.ports.values()].filter(isOut).map(({ portNo }) => portNo);
  }
}

function modelOf({ name, entries, firstPorts }: SwitchView): ModelSwitch {
  const table = new RuleTable();
  for (const entry of entries) table.add(entry);
  return { name, table, firstPorts, ports: new Map(), arrivals: [], destinations: new Map() };
}

function wire(at: ModelSwitch, ports: readonly PortView[]): void {
  at.ports = new Map(ports.map((port) => [port.portNo, port]));
  at.arrivals = setOf(ports.filter((port) => port.peer !== undefined && receives(port)).map(({ portNo }) => portNo));
}

const sends = ({ isUp, config }: PortView): boolean =>
  isUp && !config.includes('port_down') && !config.includes('no_fwd');

const receives = ({ isUp, linkIsUp, config }: PortView): boolean =>
  isUp && linkIsUp !== false && !config.includes('port_down') && !config.includes('no_recv');
