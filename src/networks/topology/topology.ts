import type { Ipv4Address, MacAddress } from '../bytes/data.ts';

/** A network without its behavior: switches, the links between them, and the stations at their ports. Plain data. */
export interface Topology {
  /** In the order in which their processes start. */
  readonly switches: readonly TopologySwitch[];
  /** Links between switches; those to stations are in `stations`. */
  readonly links: readonly TopologyLink[];
  /** Stations where they are when an execution begins. */
  readonly stations: readonly Station[];
}

/** A switch, and its ports. */
export interface TopologySwitch {
  /** The name of its process. */
  readonly name: string;
  /** The number by which controllers know it. */
  readonly dpid: number;
  /** The numbers of its ports, in ascending order. */
  readonly ports: readonly number[];
}

/** A link between two switches. Frames cross it in both directions. */
export interface TopologyLink {
  /** Two ports of different switches, in any order. */
  readonly ends: readonly [LinkEnd, LinkEnd];
}

/** An end of a link: a port of a switch. */
export interface LinkEnd {
  /** The name of the switch, such as `s1`. */
  readonly switch: string;
  /** The number of the port, one of the switch's `ports`. */
  readonly port: number;
}

/** An end station: it sends and gets frames at the port of a switch. */
export interface Station extends LinkEnd {
  /** Such as `h1`: stories call its addresses by it. */
  readonly name: string;
  /** The address from which it sends frames. */
  readonly mac: MacAddress;
  /** The address that it answers to in ARP. */
  readonly ip: Ipv4Address;
  /** For a further interface of a station: the name of that station. An interface has its own name, addresses and port. */
  readonly of?: string;
}

/** The station that an interface belongs to: the first interface of a station has its name. */
export const ownerOf = ({ name, of }: Pick<Station, 'name' | 'of'>): string => of ?? name;

/** The lane of a link: the port of its first end, then that of its second. Parallel links have different lanes. */
export const laneOfLink = ({ ends: [one, other] }: TopologyLink): string => `${one.port}-${other.port}`;

/** How people write an end: `s1.3` is port 3 of s1. */
export const endText = ({ switch: name, port }: LinkEnd): string => `${name}.${port}`;
