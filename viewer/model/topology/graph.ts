import type { DrawnStation, ProcessTopology, ProcessLink, Trace } from 'culprit/trace';
import { channelsIn, type Channel } from './channels.ts';
import { depthsOf } from './depths.ts';
import { touchedIn, type Touched } from './touched.ts';

/** A larger graph is folded: only what the execution touches is drawn. */
const NODES_MAX = 60;
const LINKS_MAX = 2_000;
/** In a larger graph, only the stations of nodes that are touched are drawn. */
const STATION_NODES_MAX = 24;
const STATIONS_MAX = 60;
const CONTROLLERS_MAX = 12;

/** A link that is drawn. */
export interface DrawnLink extends ProcessLink {
  /** Its number among the parallel links between the same nodes, from 0, and how many there are. */
  readonly nth: number;
  readonly of: number;
}

/** What is not drawn, as counts. */
export interface Folded {
  readonly nodes: number;
  readonly links: number;
  readonly stations: number;
  readonly controllers: number;
}

/** The part of a topology that is drawn, the same at every event of the execution. */
export class Graph {
  readonly nodes: readonly string[];
  readonly links: readonly DrawnLink[];
  readonly stations: readonly DrawnStation[];
  readonly controllers: readonly string[];
  /** Controllers and nodes that exchange messages in this execution. */
  readonly channels: readonly Channel[];
  readonly folded: Folded;
  /** By node: how many links it is away from the nearest node with a station; empty if that says nothing. */
  readonly depths: ReadonlyMap<string, number>;
  /** The nodes that the execution touches. */
  readonly touched: ReadonlySet<string>;
  private readonly drawn: ReadonlySet<string>;
  /** By both ends, in both directions. */
  private readonly between = new Map<string, Map<string, DrawnLink[]>>();

  constructor(topology: ProcessTopology, trace: Pick<Trace, 'events' | 'verdict'>) {
    const { nodes, links, stations = [], controllers = [] } = topology;
    const touched = touchedIn(topology, trace);
    this.nodes = nodes.length <= NODES_MAX ? nodes : chosen(nodes, touched);
    this.touched = touched.atAll;
    this.drawn = new Set(this.nodes);
    this.links = this.numbered(links.filter(({ ends }) => ends.every(({ process }) => this.drawn.has(process))));
    this.stations = this.stationsIn(stations, touched, nodes.length > STATION_NODES_MAX);
    this.controllers = controllers.slice(0, CONTROLLERS_MAX);
    this.channels = channelsIn(trace.events, this.drawn, new Set(this.controllers));
    this.depths = depthsOf(topology);
    this.folded = {
      nodes: nodes.length - this.nodes.length,
      links: links.length - this.links.length,
      stations: stations.length - this.stations.length,
      controllers: controllers.length - this.controllers.length,
    };
  }

  has(node: string): boolean {
    return this.drawn.has(node);
  }

  /** The links between two nodes, in either direction. */
  linksBetween(one: string, other: string): readonly DrawnLink[] {
    return this.between.get(one)?.get(other) ?? [];
  }

  /** The link of a message on this lane that arrives at this port, as far as these are known. */
  linkOf(from: string, to: string, lane?: string, port?: number): DrawnLink | undefined {
    const all = this.linksBetween(from, to);
    const onLane = all.filter((link) => link.lane === lane);
    const arrives = ({ ends }: DrawnLink): boolean => ends.some((end) => end.process === to && end.port === port);
    return onLane.find(arrives) ?? onLane[0] ?? all.find(arrives) ?? all[0];
  }

  private numbered(links: readonly ProcessLink[]): DrawnLink[] {
    const counts = new Map<string, number>();
    const pairOf = ({ ends: [one, other] }: ProcessLink): string =>
      JSON.stringify([one.process, other.process].toSorted());
    const kept = links.slice(0, LINKS_MAX);
    for (const link of kept) counts.set(pairOf(link), (counts.get(pairOf(link)) ?? 0) + 1);
    const seen = new Map<string, number>();
    return kept.map((link) => {
      const pair = pairOf(link);
      const nth = seen.get(pair) ?? 0;
      seen.set(pair, nth + 1);
      const drawn = { ...link, nth, of: counts.get(pair) ?? 1 };
      const [one, other] = link.ends;
      this.index(one.process, other.process, drawn);
      this.index(other.process, one.process, drawn);
      return drawn;
    });
  }

  private index(from: string, to: string, link: DrawnLink): void {
    const links = this.between.get(from) ?? new Map<string, DrawnLink[]>();
    links.set(to, [...(links.get(to) ?? []), link]);
    this.between.set(from, links);
  }

  /** Those that move, and those at drawn nodes; in a large graph, only at nodes whose messages are more than control. */
  private stationsIn(stations: readonly DrawnStation[], touched: Touched, isLarge: boolean): readonly DrawnStation[] {
    const isDrawn = ({ process }: DrawnStation): boolean =>
      this.drawn.has(process) && (!isLarge || touched.closely.has(process));
    return stations.filter((station) => touched.stations.has(station.name) || isDrawn(station)).slice(0, STATIONS_MAX);
  }
}

/** Everything that is touched, if it fits; otherwise what is touched closely. In the order of the topology. */
function chosen(nodes: readonly string[], { closely, atAll }: Touched): readonly string[] {
  const best = atAll.size <= NODES_MAX || closely.size === 0 ? atAll : closely;
  const kept = new Set([...best].slice(0, NODES_MAX));
  return nodes.filter((name) => kept.has(name));
}
