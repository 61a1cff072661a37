import type { SetBits, Ipv4Address, MacAddress } from '../bytes/data.ts';
import type { PortConfigBit } from '../openflow/names.ts';
import type { FlowEntry } from '../switch/flow-table.ts';

/** The flow tables, ports and links of a network at one moment: the input of network invariants. */
export interface NetworkState {
  /** The switches that are up. */
  readonly switches: readonly SwitchView[];
}

/** A switch, as invariants see it. */
export interface SwitchView {
  /** The process of the switch, such as `s1`. */
  readonly name: string;
  /** In the order of the table: the oldest first. */
  readonly entries: readonly FlowEntry[];
  /** All its ports, also those that are down. */
  readonly ports: readonly PortView[];
  /** Its ports at first. A station that was there may be on its way elsewhere, and verdicts call it by its name. */
  readonly firstPorts?: readonly { readonly station?: Omit<StationPeer, 'kind'> }[];
}

/** A port, as invariants see it. */
export interface PortView {
  /** Its number on this switch, from 1. */
  readonly portNo: number;
  /** Whether the switch takes the link at this port to be up. */
  readonly isUp: boolean;
  /** False for a link that is cut, also if the switch has not noticed. */
  readonly linkIsUp?: boolean;
  /** What controllers have set, such as `no_flood`. */
  readonly config: SetBits<PortConfigBit>;
  /** What is at the other end; missing for a port without a cable. */
  readonly peer?: SwitchPeer | StationPeer;
}

/** The switch at the other end of a link, and its port. */
export interface SwitchPeer {
  readonly kind: 'switch';
  /** The process of that switch. */
  readonly name: string;
  /** The number of the port there. */
  readonly port: number;
}

/** The end station at a port. */
export interface StationPeer {
  readonly kind: 'station';
  /** The name in the topology, such as `h1`. */
  readonly name: string;
  /** The address from which it sends frames. */
  readonly mac: MacAddress;
  /** The address that it answers to in ARP. */
  readonly ip: Ipv4Address;
  /** For a further interface of a station: the name of that station. */
  readonly of?: string;
}
