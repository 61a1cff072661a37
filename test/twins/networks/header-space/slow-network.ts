import {
  emptyTable,
  fieldsOf,
  lookUp,
  runActions,
  type Action,
  type FlowEntry,
  type NetworkState,
  type PortView,
  type SwitchView,
} from 'culprit/networks';

/** A packet that arrives at a port of a switch. */
export interface Arrival {
  readonly name: string;
  readonly port: number;
  readonly packet: string;
}

/** What one action does with a packet. */
export type Fate =
  | { readonly kind: 'arrives'; readonly outPort: number; readonly at: Arrival }
  | { readonly kind: 'station'; readonly outPort: number; readonly station: string; readonly packet: string }
  | { readonly kind: 'lost'; readonly outPort: number; readonly why: string };

/** One hop: the entry that the packet meets, and the fate of each of its copies. */
export interface Step {
  readonly entry: FlowEntry;
  readonly fates: readonly Fate[];
}

type Output = Extract<Action, { type: 'output' | 'enqueue' }>;

/** Walks single packets through a network: by the table and the actions of the switch, byte by byte. */
export class SlowNetwork {
  private readonly steps = new Map<string, Step | undefined>();

  constructor(private readonly state: NetworkState) {}

  /** Undefined for a packet without an entry. */
  step(arrival: Arrival): Step | undefined {
    const key = keyOf(arrival);
    if (!this.steps.has(key)) this.steps.set(key, this.stepOnce(arrival));
    return this.steps.get(key);
  }

  /** Whether frames can arrive there. */
  receives(name: string, portNo: number): boolean {
    const port = this.view(name)?.ports.find((one) => one.portNo === portNo);
    return port !== undefined && port.linkIsUp !== false && takes(port);
  }

  /** All arrivals that follow from these, without the first ones unless they come again. */
  following(...first: readonly Arrival[]): Map<string, Arrival> {
    const found = new Map<string, Arrival>();
    const queue = [...first];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      for (const fate of this.step(next)?.fates ?? []) {
        if (fate.kind !== 'arrives' || found.has(keyOf(fate.at))) continue;
        found.set(keyOf(fate.at), fate.at);
        queue.push(fate.at);
      }
    }
    return found;
  }

  /** The arrivals that follow at once. */
  next(arrival: Arrival): string[] {
    return (this.step(arrival)?.fates ?? []).flatMap((fate) => (fate.kind === 'arrives' ? [keyOf(fate.at)] : []));
  }

  private stepOnce({ name, port, packet }: Arrival): Step | undefined {
    const { entries, ports } = this.view(name) as SwitchView;
    const fields = fieldsOf(Buffer.from(packet, 'hex'), port);
    const entry = fields && lookUp({ ...emptyTable(0), entries: [...entries] }, fields, 0, 0);
    if (entry === undefined) return undefined;
    const fates: Fate[] = [];
    for (const [index, action] of entry.actions.entries()) {
      if (action.type !== 'output' && action.type !== 'enqueue') continue;
      const before = entry.actions.slice(0, index).filter(({ type }) => type !== 'output' && type !== 'enqueue');
      fates.push(...this.fatesOf([...before, action], action, { name, port, packet }, ports));
    }
    return { entry, fates };
  }

  private fatesOf(actions: readonly Action[], { port: to }: Output, from: Arrival, ports: readonly PortView[]): Fate[] {
    const states = ports.map(({ portNo, config, isUp }) => ({
      portNo,
      config,
      state: isUp ? [] : ['link_down' as const],
    }));
    const outputs = runActions(actions, from.packet, from.port, states).filter(({ port }) => typeof port === 'number');
    const isFlooded = to === 'flood' || to === 'all';
    if (outputs.length === 0 && (typeof to === 'number' || to === 'in_port')) {
      const outPort = to === 'in_port' ? from.port : to;
      const exists = ports.some(({ portNo }) => portNo === outPort);
      const why = to === from.port ? 'sent back' : exists ? 'port down' : 'no such port';
      return [{ kind: 'lost', outPort, why }];
    }
    const fates = outputs.map(({ port, packet }) =>
      this.across(ports.find(({ portNo }) => portNo === port) as PortView, packet),
    );
    return fates.filter(({ kind }) => kind !== 'lost' || !isFlooded);
  }

  private across({ portNo: outPort, linkIsUp, peer }: PortView, packet: string): Fate {
    const lost = (why: string): Fate => ({ kind: 'lost', outPort, why });
    if (peer === undefined) return lost('nothing attached');
    if (linkIsUp === false) return lost('link cut');
    if (peer.kind === 'station') return { kind: 'station', outPort, station: peer.name, packet };
    const other = this.view(peer.name)?.ports.find((port) => port.portNo === peer.port);
    if (other === undefined || !takes(other)) return lost('not received');
    return { kind: 'arrives', outPort, at: { name: peer.name, port: peer.port, packet } };
  }

  private view(name: string): SwitchView | undefined {
    return this.state.switches.find((one) => one.name === name);
  }
}

export const keyOf = ({ name, port, packet }: Arrival): string => `${name}.${port} ${packet}`;

const takes = ({ isUp, config }: PortView): boolean =>
  isUp && !config.includes('port_down') && !config.includes('no_recv');
