import {
  applyFlowMod,
  emptyTable,
  flowMod,
  type Action,
  type FlowEntry,
  type FlowMod,
  type FlowTable,
  type Match,
  type NetworkState,
  type PortView,
  type Topology,
} from 'culprit/networks';
import type { Random } from 'culprit/kernel';

/** How entries match packets for a station. */
export type Matching = 'dlDst' | 'nwDst' | 'dlSrc and dlDst' | 'flow';

/** One flow_mod of a controller that routes packets. */
export interface RouteMod {
  readonly name: string;
  readonly flowMod: FlowMod;
}

const output = (port: number): Action[] => [{ type: 'output', port, maxLen: 0 }];

/** A topology with flow entries along shortest paths between its stations. */
export class RoutedNetwork {
  readonly tables: ReadonlyMap<string, FlowTable>;
  private readonly portsOf = new Map<string, PortView[]>();

  constructor(readonly topology: Topology) {
    this.tables = new Map(topology.switches.map(({ name }) => [name, emptyTable(1_000_000)]));
    for (const { name } of topology.switches) this.portsOf.set(name, []);
    const add = (name: string, portNo: number, peer: PortView['peer']): void =>
      void this.portsOf.get(name)?.push({ portNo, isUp: true, config: [], ...(peer === undefined ? {} : { peer }) });
    for (const {
      ends: [one, other],
    } of topology.links) {
      add(one.switch, one.port, { kind: 'switch', name: other.switch, port: other.port });
      add(other.switch, other.port, { kind: 'switch', name: one.switch, port: one.port });
    }
    for (const { switch: name, port, ...station } of topology.stations) {
      const { name: called, mac, ip } = station;
      add(name, port, { kind: 'station', name: called, mac, ip });
    }
  }

  get state(): NetworkState {
    return {
      switches: this.topology.switches.map(({ name }) => ({
        name,
        entries: (this.tables.get(name) as FlowTable).entries,
        ports: this.portsOf.get(name) as PortView[],
      })),
    };
  }

  get entryCount(): number {
    return [...this.tables.values()].reduce((sum, { entries }) => sum + entries.length, 0);
  }

  /** Flow_mods for as many entries: routes of random packets, from a random station to another. */
  routes(count: number, matching: Matching, random: Random): RouteMod[] {
    const { stations } = this.topology;
    const mods = new Map<string, RouteMod>();
    for (let attempts = 0; mods.size < count; attempts++) {
      if (attempts > 20 * count) throw new Error(`the network has fewer than ${count} routes of this kind`);
      const [from, to] = [random.pick(stations), random.pick(stations)];
      if (from === to) continue;
      const wanted = matchFor(matching, from, to, random);
      for (const [name, port] of this.path(from.switch, to)) {
        // The switch of a station knows its address, others may have a prefix.
        const match = matching === 'nwDst' && name === to.switch ? { ...wanted, nwDst: to.ip } : wanted;
        const priority = match.nwDst?.includes('/') === true ? 50 : 100;
        const message = flowMod({ match, priority, actions: output(port) });
        const key = `${name} ${JSON.stringify(match)}`;
        if (mods.size < count && !mods.has(key)) mods.set(key, { name, flowMod: message });
      }
    }
    return [...mods.values()];
  }

  /** Applies a flow_mod, and tells what changed. */
  apply({ name, flowMod: message }: RouteMod): {
    readonly name: string;
    readonly removed: FlowEntry[];
    readonly added: FlowEntry[];
  } {
    const table = this.tables.get(name) as FlowTable;
    const { length } = table.entries;
    const result = applyFlowMod(table, message, 0);
    if ('error' in result || table.entries.length === length)
      throw new Error('bench: an entry was refused or replaced');
    return { name, removed: [], added: table.entries.filter(({ actions }) => actions === message.actions) };
  }

  /** A shortest path to a station. The next hop is the same for every packet to it, so that paths meet without loops. */
  private path(from: string, to: Topology['stations'][number]): [name: string, port: number][] {
    const ports = this.portsToward(to.switch);
    const path: [string, number][] = [];
    for (let at = from; at !== to.switch;) {
      const port = ports.get(at) as number;
      path.push([at, port]);
      const peer = this.portsOf.get(at)?.find(({ portNo }) => portNo === port)?.peer;
      at = peer?.name as string;
    }
    return [...path, [to.switch, to.port]];
  }

  /** Every other switch with its port on the way to this one, neighbors first. */
  toward(target: string): { readonly name: string; readonly port: number }[] {
    return [...this.portsToward(target)].map(([name, port]) => ({ name, port }));
  }

  private readonly nextPorts = new Map<string, ReadonlyMap<string, number>>();

  private portsToward(target: string): ReadonlyMap<string, number> {
    const known = this.nextPorts.get(target);
    if (known !== undefined) return known;
    const found = new Map<string, number>();
    const queue = [target];
    for (const at of queue) {
      for (const { peer } of this.portsOf.get(at) as PortView[]) {
        if (peer?.kind !== 'switch' || peer.name === target || found.has(peer.name)) continue;
        found.set(peer.name, peer.port);
        queue.push(peer.name);
      }
    }
    this.nextPorts.set(target, found);
    return found;
  }
}

type Addresses = Pick<Topology['stations'][number], 'mac' | 'ip'>;

function matchFor(matching: Matching, from: Addresses, to: Addresses, random: Random): Match {
  switch (matching) {
    case 'dlDst':
      return { dlDst: to.mac };
    case 'dlSrc and dlDst':
      return { dlSrc: from.mac, dlDst: to.mac };
    case 'flow':
      return {
        dlSrc: from.mac,
        dlDst: to.mac,
        dlVlan: 'none',
        dlType: 0x0800,
        nwTos: 0,
        nwProto: 6,
        nwSrc: from.ip,
        nwDst: to.ip,
        tpSrc: random.below(65_536),
        tpDst: 80,
      };
    case 'nwDst':
      return { dlType: 0x0800, nwDst: random.below(3) === 0 ? to.ip.replace(/\d+$/, '0/24') : to.ip };
  }
}
