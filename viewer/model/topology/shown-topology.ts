import { ENVIRONMENT, type EventLine, type ProcessTopology, type Trace } from 'culprit/trace';
import { StationNames } from '../../../src/networks/words/station-names.ts';
import type { Channel } from './channels.ts';
import { Cuts } from './cuts.ts';
import { Graph, type DrawnLink } from './graph.ts';
import { PacketPaths, type Hop } from '../../../src/networks/words/packet-path.ts';
import { StationPlaces } from './station-places.ts';

/** A hop, and the line of the drawing that it goes along; none if one of its ends is not drawn. */
export interface DrawnHop extends Hop {
  readonly along: DrawnLink | Channel | 'station' | undefined;
  /** The names of its ends for readers: a station instead of the environment. */
  readonly fromName: string;
}

/** Which directions of a link are cut: from the first end to the second, and back. */
export interface CutDirections {
  readonly there: boolean;
  readonly back: boolean;
}

export const isCut = ({ there, back }: CutDirections): boolean => there || back;

/** The topology of an execution, prepared for drawing at any event. Events are named by their index. */
export class ShownTopology {
  readonly graph: Graph;
  /** For words: the names of stations by their addresses. */
  readonly names: StationNames;
  private readonly events: Trace['events'];
  private readonly cuts: Cuts;
  private readonly places: StationPlaces;
  private readonly paths: PacketPaths;

  constructor(topology: ProcessTopology, trace: Trace) {
    this.events = trace.events;
    this.graph = new Graph(topology, trace);
    this.names = new StationNames(topology.stations);
    this.cuts = new Cuts(trace.events);
    this.places = new StationPlaces(this.graph.stations, trace.events);
    this.paths = new PacketPaths(trace);
  }

  cutOf({ ends: [one, other], lane }: DrawnLink, event: number): CutDirections {
    return {
      there: this.cuts.isCut(one.process, other.process, lane, event),
      back: this.cuts.isCut(other.process, one.process, lane, event),
    };
  }

  cutOfChannel({ controller, node }: Channel, event: number): CutDirections {
    return {
      there: this.cuts.isCut(controller, node, undefined, event),
      back: this.cuts.isCut(node, controller, undefined, event),
    };
  }

  /** The stations at drawn nodes after an event. */
  stationsAt(event: number): { readonly name: string; readonly node: string; readonly port: number | undefined }[] {
    return this.graph.stations.flatMap(({ name }) => {
      const place = this.places.at(name, event);
      return place === undefined || !this.graph.has(place.process)
        ? []
        : [{ name, node: place.process, port: place.port }];
    });
  }

  /** The way of the packet that an event is about; of any other message, its own hop. */
  hopsAt(event: number): DrawnHop[] {
    const path = this.paths.of(event);
    const line = this.events[event];
    const hops = path.length > 0 || line === undefined ? path : ownHops(line, event);
    return hops.map((hop) => this.drawn(hop));
  }

  /** Whether the event is about a packet. */
  hasPath(event: number): boolean {
    return this.paths.of(event).length > 0;
  }

  private drawn(hop: Hop): DrawnHop {
    const station = hop.from === ENVIRONMENT ? this.stationBeside(hop) : undefined;
    if (station !== undefined || hop.isStation === true)
      return { ...hop, fromName: station ?? hop.from, along: 'station' };
    return { ...hop, fromName: hop.from, along: this.along(hop) };
  }

  /** The station at the port where a message of the environment arrives. */
  private stationBeside({ to, port, event }: Hop): string | undefined {
    return this.stationsAt(event).find((station) => station.node === to && station.port === port)?.name;
  }

  private along({ from, to, lane, port }: Hop): DrawnLink | Channel | undefined {
    return (
      this.graph.linkOf(from, to, lane, port) ??
      this.graph.channels.find(
        ({ controller, node }) => (controller === from && node === to) || (controller === to && node === from),
      )
    );
  }
}

/** The message that an event delivers, and those that it loses. */
function ownHops(line: EventLine, event: number): Hop[] {
  const arrived: Hop[] =
    line.kind === 'deliver' ? [{ from: line.from, to: line.process, lane: line.lane, event, fate: 'arrived' }] : [];
  const isOwn = line.kind !== 'cut' && line.kind !== 'crash' && line.kind !== 'stop' && line.kind !== 'lose';
  const lost = isOwn
    ? (line.dropped ?? []).map(({ to, lane }): Hop => ({ from: line.process, to, lane, event, fate: 'lost' }))
    : [];
  return [...arrived, ...lost];
}
