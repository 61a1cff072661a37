import { useMemo } from 'preact/hooks';
import type { Desk } from '../../model/desk.ts';
import type { Size } from '../../model/topology/arrangement.ts';
import { layoutOf } from '../../model/topology/layout.ts';
import { LineRoutes } from '../../model/topology/line-routes.ts';
import type { DrawnHop, ShownTopology } from '../../model/topology/shown-topology.ts';
import { spokenOf } from '../../model/topology/spoken-topology.ts';
import { stationPoints } from '../../model/topology/station-points.ts';
import { Boxes } from './boxes.tsx';
import { DENSE, Edges } from './edges.tsx';
import { Hops } from './hops.tsx';
import { StationMark } from './station-mark.tsx';

interface Props {
  readonly desk: Desk;
  readonly topology: ShownTopology;
  readonly hops: readonly DrawnHop[];
  readonly size: Size;
  /** The node whose details are shown. */
  readonly node: string | undefined;
  readonly onPick: (node: string) => void;
}

/** The topology after the event at the cursor. */
export function Drawing({ desk, topology, hops, size, node, onPick }: Props) {
  const { graph } = topology;
  const { event } = desk.settings.cursor;
  const layout = useMemo(() => layoutOf(graph, size), [graph, size.width, size.height]);
  const lines = useMemo(() => new LineRoutes(layout, graph.links.length + graph.channels.length), [layout, graph]);
  const wanted = new Set(hops.flatMap(({ fromName, to }) => [fromName, to]));
  const stations = stationPoints(layout, topology.stationsAt(event), wanted);
  return (
    <svg
      class={graph.links.length > DENSE ? 'dense' : ''}
      width={size.width}
      height={size.height}
      role="img"
      aria-label={spokenOf(topology, event)}
    >
      <Edges topology={topology} lines={lines} box={layout.box} event={event} node={node} />
      {stations.map((station) => (
        <StationMark key={station.name} station={station} line={lines.station(station)} />
      ))}
      <Hops hops={hops} lines={lines} stations={stations} event={event} />
      <Boxes desk={desk} graph={graph} layout={layout} node={node} onPick={onPick} />
    </svg>
  );
}
