import { ipv4Number } from '../../networks/bytes/addresses.ts';
import type { EventLine, Header } from '../../trace/format.ts';
import type { ProcessTopology } from '../../trace/topology.ts';
import { portName } from '../../networks/words/link-names.ts';
import { ControlChannel } from './control-channel.ts';
import type { NamedAddress } from './pcapng-file.ts';
import type { Side } from './tcp-connection.ts';

export type Delivery = Extract<EventLine, { kind: 'deliver' }>;

/** Controllers have addresses from 10.0.0.1 on, switches from 10.1.0.1 on. */
const CONTROLLERS = 0x0a000000;
const SWITCHES = 0x0a010000;

/** Where a message of a controller or a switch is captured. */
export interface ChannelPlace {
  /** Such as `c1-s2`. */
  readonly name: string;
  readonly channel: ControlChannel;
  readonly side: Side;
}

/** The control channels and links of a network, by the processes at their ends. */
export class Places {
  private readonly topology: ProcessTopology;
  private readonly controllers: ReadonlyMap<string, number>;
  private readonly switches: ReadonlyMap<string, number>;
  private readonly channels = new Map<string, ControlChannel>();
  /** The names of links, by sender, receiver and lane. */
  private readonly links: ReadonlyMap<string, string>;

  constructor({ topology = { nodes: [], links: [] } }: Header) {
    this.topology = topology;
    this.links = new Map(
      topology.links.flatMap(({ ends: [one, other], lane }) => {
        const name = `${portName(one)}-${portName(other)}`;
        return [
          [keyOf(one.process, other.process, lane), name],
          [keyOf(other.process, one.process, lane), name],
        ];
      }),
    );
    this.controllers = addressesFrom(CONTROLLERS, topology.controllers ?? []);
    this.switches = addressesFrom(SWITCHES, topology.nodes);
  }

  /** The names of all addresses. */
  get names(): NamedAddress[] {
    const stations = (this.topology.stations ?? []).flatMap(({ name, addresses = [] }) =>
      addresses.map((address) => ({ name, address: ipv4Number(address) })),
    );
    const processes = [...this.controllers, ...this.switches].map(([name, address]) => ({ name, address }));
    return [...processes, ...stations.filter(({ address }) => address >= 0)];
  }

  /** Undefined for a message between other processes. */
  channelOf({ from, process }: Delivery): ChannelPlace | undefined {
    const side = this.switches.has(from) ? 'client' : 'server';
    const [controller, node] = side === 'client' ? [process, from] : [from, process];
    const addresses = [this.controllers.get(controller), this.switches.get(node)] as const;
    if (addresses[0] === undefined || addresses[1] === undefined) return undefined;
    const name = `${controller}-${node}`;
    const channel = this.channels.get(name) ?? new ControlChannel(addresses[0], addresses[1]);
    this.channels.set(name, channel);
    return { name, channel, side };
  }

  /** Where a frame for a switch is captured: at a link, such as `s1.1-s2.1`, or at a port, such as `s1.2`. */
  linkOf({ from, process, lane }: Delivery, port: number): string | undefined {
    if (!this.switches.has(process)) return undefined;
    return this.links.get(keyOf(from, process, lane)) ?? `${process}.${port}`;
  }
}

const keyOf = (from: string, to: string, lane: string | undefined): string => JSON.stringify([from, to, lane]);

const addressesFrom = (first: number, names: readonly string[]): Map<string, number> =>
  new Map(names.map((name, at) => [name, first + at + 1]));
