import { ipv4Number, writeMac } from '../bytes/addresses.ts';
import { nearest } from '../../text/did-you-mean.ts';
import { lineOfElement } from './json-lines.ts';
import { DPID_MAX, PORT_MAX, stationIp, stationMac } from './published-addresses.ts';
import { BadTopology } from './sizes.ts';
import {
  endText,
  type LinkEnd,
  type Station,
  type Topology,
  type TopologyLink,
  type TopologySwitch,
} from './topology.ts';

/**
 * A topology from JSON: its text, or the data. Only names, and the ends of links and stations, have to be given; a switch
 * without `dpid` gets its place in the list, and a station without addresses those of its switch and port.
 */
export function topologyFrom(json: unknown): Topology {
  const given = typeof json === 'string' ? parsed(json) : json;
  if (!isObject(given)) throw bad('a topology', given, 'an object with switches, links and stations');
  const unknown = Object.keys(given).find((name) => !fields.includes(name));
  if (unknown !== undefined) throw bad('a topology', unknown, `an object with ${fields.join(', ')}`, 'has the field');
  try {
    return new Reader().read(given);
  } catch (error) {
    throw typeof json === 'string' && error instanceof BadTopology ? withLine(error, json) : error;
  }
}

/** A mistake with the line where it is. Its message begins with its place. */
function withLine(mistake: BadTopology, text: string): BadTopology {
  const [, list = '', index] = /^(\w+)\[(\d+)\]/.exec(mistake.message) ?? [];
  const line = index === undefined ? undefined : lineOfElement(text, list, Number(index));
  return line === undefined ? mistake : new BadTopology(`line ${line}: ${mistake.message}`, mistake.next);
}

const fields: readonly string[] = ['switches', 'links', 'stations'];

type Given = Readonly<Record<string, unknown>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadTopology(
      `the topology is no JSON: ${error instanceof Error ? error.message : String(error)}.`,
      'Give an object with switches, links and stations.',
    );
  }
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bad = (place: string, value: unknown, expected: string, verb = 'is'): BadTopology =>
  new BadTopology(`${place} ${verb} ${JSON.stringify(value) ?? String(value)}.`, `Give ${expected}.`);

/** Reads one topology, and remembers which names and ports are taken. */
class Reader {
  private readonly dpids = new Map<string, number>();
  private readonly names = new Map<number, string>();
  /** The place that uses a port. */
  private readonly used = new Map<string, string>();
  private readonly ports = new Map<string, Set<number>>();

  read(given: Given): Topology {
    const switches = listIn(given, 'switches').map((one, at) => this.switchIn(one, at, `switches[${at}]`));
    const links = listIn(given, 'links').map((one, at) => this.linkIn(one, `links[${at}]`));
    const owners = new Map<string, string>();
    const stations = listIn(given, 'stations').map((one, at) => this.stationIn(one, at, `stations[${at}]`, owners));
    return {
      switches: switches.map((one) => ({ ...one, ports: [...(this.ports.get(one.name) ?? [])].sort((a, b) => a - b) })),
      links,
      stations,
    };
  }

  private switchIn(given: unknown, at: number, place: string): Omit<TopologySwitch, 'ports'> {
    if (!isObject(given)) throw bad(place, given, 'an object such as { "name": "s1" }');
    const name = nameIn(given, place, this.dpids);
    const dpid = given['dpid'] ?? at + 1;
    if (!isCount(dpid, DPID_MAX)) throw bad(`${place}.dpid`, dpid, `a whole number from 1 to ${DPID_MAX}`);
    const twin = this.names.get(dpid);
    if (twin !== undefined)
      throw new BadTopology(`${place}: ${twin} has dpid ${dpid}, too.`, 'Give each switch its own.');
    this.names.set(dpid, name);
    this.dpids.set(name, dpid);
    const ports = new Set<number>();
    this.ports.set(name, ports);
    for (const [nth, port] of listIn(given, 'ports', place).entries()) {
      if (!isCount(port, PORT_MAX)) throw bad(`${place}.ports[${nth}]`, port, `a port, 1 to ${PORT_MAX}`);
      ports.add(port);
    }
    return { name, dpid };
  }

  private linkIn(given: unknown, place: string): TopologyLink {
    const ends = isObject(given) ? given['ends'] : undefined;
    if (!Array.isArray(ends) || ends.length !== 2)
      throw bad(place, given, 'an object with two ends: { "ends": [{ "switch": "s1", "port": 1 }, …] }');
    const [one, other] = ends.map((end, at) => this.endIn(end, `${place}.ends[${at}]`, place)) as [LinkEnd, LinkEnd];
    if (one.switch === other.switch)
      throw new BadTopology(`${place}: both ends are at ${one.switch}.`, 'Join two switches.');
    return { ends: [one, other] };
  }

  /** `owners`: for each interface so far, the station that it belongs to. */
  private stationIn(given: unknown, at: number, place: string, owners: Map<string, string>): Station {
    if (!isObject(given)) throw bad(place, given, 'an object such as { "name": "h1", "switch": "s1", "port": 1 }');
    const name = given['name'] === undefined ? `h${at + 1}` : nameIn(given, place, owners);
    if (this.dpids.has(name)) throw new BadTopology(`${place}: ${name} is a switch, too.`, 'Give it another name.');
    const of = ownerIn(given, place, owners);
    owners.set(name, of ?? name);
    const end = this.endIn(given, place, place);
    const dpid = this.dpids.get(end.switch) as number;
    const mac = given['mac'] ?? stationMac(dpid, end.port);
    if (!writeMac(mac, new Uint8Array(6), 0)) throw bad(`${place}.mac`, mac, 'an address such as 00:00:5e:00:53:01');
    const ip = given['ip'] ?? stationIp(dpid, end.port);
    if (ipv4Number(ip) < 0) throw bad(`${place}.ip`, ip, 'an address such as 192.0.2.1');
    return { name, ...end, mac: mac as string, ip: ip as string, ...(of === undefined ? {} : { of }) };
  }

  private endIn(given: unknown, place: string, owner: string): LinkEnd {
    const { switch: name, port } = isObject(given) ? given : ({} as Given);
    if (typeof name !== 'string' || !isCount(port, PORT_MAX))
      throw bad(place, given, `a switch and a port from 1 to ${PORT_MAX}: { "switch": "s1", "port": 1 }`);
    if (!this.dpids.has(name)) {
      const near = likelyName(name, [...this.dpids.keys()]);
      const hint = near === undefined ? '.' : `; did you mean ${near}?`;
      throw new BadTopology(`${owner}: there is no switch ${name}${hint}`, 'Name a switch of the list `switches`.');
    }
    const end = { switch: name, port };
    const taken = this.used.get(endText(end));
    if (taken !== undefined)
      throw new BadTopology(`${owner}: port ${endText(end)} is used by ${taken} already.`, 'Use each port once.');
    this.used.set(endText(end), owner);
    this.ports.get(name)?.add(port);
    return end;
  }
}

/** A known name that was probably meant: a similar one, or the same word with the nearest number. */
function likelyName(name: string, known: readonly string[]): string | undefined {
  const [, word, number] = numbered.exec(name) ?? [];
  const distance = (other: string): number => {
    const [, otherWord, otherNumber] = numbered.exec(other) ?? [];
    return word === undefined || word !== otherWord ? Infinity : Math.abs(Number(number) - Number(otherNumber));
  };
  let likely: string | undefined;
  for (const other of known) if (distance(other) < distance(likely ?? '')) likely = other;
  return likely ?? nearest(name, known);
}

const numbered = /^(\D+)(\d+)$/;

function listIn(given: Given, field: string, place = ''): readonly unknown[] {
  const list = given[field] ?? [];
  if (Array.isArray(list)) return list as readonly unknown[];
  throw bad(place === '' ? field : `${place}.${field}`, list, 'a list');
}

function nameIn(given: Given, place: string, taken: { has(name: string): boolean }): string {
  const { name } = given;
  if (typeof name !== 'string' || name.trim() === '') throw bad(`${place}.name`, name, 'a name');
  if (taken.has(name)) throw new BadTopology(`${place}: there are two of the name ${name}.`, 'Give each its own name.');
  return name;
}

/** The station that a further interface belongs to; undefined for a station of its own. */
function ownerIn({ of }: Given, place: string, owners: ReadonlyMap<string, string>): string | undefined {
  if (of === undefined || (typeof of === 'string' && owners.get(of) === of)) return of;
  throw bad(`${place}.of`, of, 'the name of a station above it, whose first interface that is');
}

const isCount = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
