import { CulpritError } from '../../error.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { endText, type Station, type Topology, type TopologyLink } from '../topology/topology.ts';

/** A name that the topology does not have, or a request that does not fit it. */
export class BadNetwork extends CulpritError {
  readonly code = 'BAD_NETWORK';
}

/** Finds the parts of a topology by their names. */
export class Names {
  private readonly stations: ReadonlyMap<string, Station>;
  private readonly switches: ReadonlySet<string>;
  /** By the names of switches, made when the first one is looked for: a large topology has many. */
  private links: ReadonlyMap<string, readonly TopologyLink[]> | undefined;

  constructor(private readonly topology: Topology) {
    this.stations = new Map(topology.stations.map((station) => [station.name, station]));
    this.switches = new Set(topology.switches.map(({ name }) => name));
  }

  station(name: string): Station {
    const station = this.stations.get(name);
    if (station === undefined) throw unknown('station', name, [...this.stations.keys()]);
    return station;
  }

  switch(name: string): string {
    if (!this.switches.has(name)) throw unknown('switch', name, [...this.switches]);
    return name;
  }

  /** The link between two switches, `s1` and `s2`; of several the one between these ports, `s1.3` and `s2.1`. */
  link(one: string, other: string): TopologyLink {
    const found = this.linksAt(one).filter(
      ({ ends: [a, b] }) => (isCalled(a, one) && isCalled(b, other)) || (isCalled(a, other) && isCalled(b, one)),
    );
    const [link] = found;
    if (link !== undefined && found.length === 1) return link;
    if (link === undefined)
      throw new BadNetwork(`there is no link between ${one} and ${other}.`, 'Give two switches that a link joins.');
    throw new BadNetwork(
      `there are ${found.length} links between ${one} and ${other}.`,
      `Name their ports: ${found.map(({ ends }) => ends.map((end) => `'${endText(end)}'`).join(' and ')).join(', or ')}.`,
    );
  }

  /** Those of the switch, or of the switch with that port: `s1` or `s1.3`. */
  private linksAt(name: string): readonly TopologyLink[] {
    this.links ??= linksBySwitch(this.topology);
    const point = name.lastIndexOf('.');
    const names = [name, ...(point < 0 ? [] : [name.slice(0, point)])];
    return [...new Set(names.flatMap((one) => this.links?.get(one) ?? []))];
  }
}

function linksBySwitch({ links }: Topology): ReadonlyMap<string, readonly TopologyLink[]> {
  const found = new Map<string, TopologyLink[]>();
  for (const link of links)
    for (const name of new Set(link.ends.map((end) => end.switch))) {
      const known = found.get(name);
      if (known === undefined) found.set(name, [link]);
      else known.push(link);
    }
  return found;
}

const isCalled = (end: Topology['links'][number]['ends'][number], name: string): boolean =>
  end.switch === name || endText(end) === name;

const unknown = (what: string, name: string, known: readonly string[]): BadNetwork =>
  new BadNetwork(
    `the topology has no ${what} ${JSON.stringify(name)}${didYouMean(name, known) || '.'}`,
    `Its ${what === 'switch' ? 'switches' : 'stations'} are ${known.slice(0, 5).join(', ')}${known.length > 5 ? ', …' : ''}.`,
  );
