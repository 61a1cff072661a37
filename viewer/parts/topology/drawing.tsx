import { useMemo } from 'preact/hooks';
import type { Desk } from '../../model/desk.ts';
import type { DrawnLink } from '../../model/topology/graph.ts';
import { layoutOf, NAME_MAX, type Point, type Size } from '../../model/topology/layout.ts';
import type { CutDirections, DrawnHop, ShownTopology } from '../../model/topology/shown-topology.ts';
import { stationPoints, type DrawnStation } from '../../model/topology/station-points.ts';
import { LineRoutes } from '../../model/topology/line-routes.ts';
import { Hops } from './hops.tsx';
import { besideBox, curveOf, pointAt, reversed, type Line } from '../../model/topology/line.ts';

interface Props {
  readonly desk: Desk;
  readonly topology: ShownTopology;
  readonly hops: readonly DrawnHop[];
  readonly size: Size;
  /** The node whose details are shown. */
  readonly node: string | undefined;
  readonly onPick: (node: string) => void;
}

/** Port numbers of every link would cover a larger graph. */
const PORTS_MAX = 24;
/** More links are drawn pale. */
const DENSE = 150;

/** The topology after the event at the cursor. */
export function Drawing({ desk, topology, hops, size, node, onPick }: Props) {
  const { graph } = topology;
  const { event } = desk.settings.cursor;
  const layout = useMemo(() => layoutOf(graph, size), [graph, size.width, size.height]);
  const wanted = new Set(hops.flatMap(({ fromName, to }) => [fromName, to]));
  const stations = stationPoints(layout, topology.stationsAt(event), wanted);
  const lines = useMemo(() => new LineRoutes(layout, graph.links.length + graph.channels.length), [layout, graph]);
  const isNamed = (name: string): boolean => !layout.isCrowded || graph.touched.has(name) || name === node;
  return (
    <svg
      class={graph.links.length > DENSE ? 'dense' : ''}
      width={size.width}
      height={size.height}
      role="img"
      aria-label={spokenOf(topology, event)}
    >
      {graph.channels.map((channel) => (
        <ChannelLine
          key={`${channel.controller} ${channel.node}`}
          line={lines.channel(channel)}
          cut={topology.cutOfChannel(channel, event)}
        />
      ))}
      {graph.links.map((link, at) => (
        <LinkLine
          key={at}
          link={link}
          line={lines.link(link)}
          cut={topology.cutOf(link, event)}
          box={layout.box}
          hasPorts={
            graph.links.length <= PORTS_MAX ||
            (graph.links.length <= DENSE && link.ends.some(({ process }) => process === node))
          }
        />
      ))}
      {stations.map((station) => (
        <StationMark key={station.name} station={station} line={lines.station(station)} />
      ))}
      <Hops hops={hops} lines={lines} stations={stations} event={event} />
      {[...layout.controllers].map(([name, point]) => (
        <Box key={name} kind="controller" name={name} point={point} desk={desk} box={layout.box} />
      ))}
      {layout.isCrowded &&
        [...layout.nodes]
          .filter(([name]) => !isNamed(name))
          .map(([name, point]) => <Dot key={name} name={name} point={point} onPick={onPick} />)}
      {[...layout.nodes]
        .filter(([name]) => isNamed(name))
        .map(([name, point]) => (
          <Box
            key={name}
            kind="node"
            name={name}
            point={point}
            desk={desk}
            box={layout.box}
            isPicked={name === node}
            onPick={onPick}
          />
        ))}
    </svg>
  );
}

const cutClass = ({ there, back }: CutDirections): string => (there || back ? 'cut' : '');

function LinkLine({
  link,
  line,
  cut,
  box,
  hasPorts,
}: {
  link: DrawnLink;
  line: Line;
  cut: CutDirections;
  box: Size;
  hasPorts: boolean;
}) {
  const [one, other] = link.ends;
  // Parallel links part a little later, and then there is room on the line itself.
  const portPlace = (from: Line): Point => (link.of > 1 ? pointAt(from, 0.2) : besideBox(from, box));
  const ports = hasPorts
    ? ([
        [one.port, portPlace(line)],
        [other.port, portPlace(reversed(line))],
      ] as const)
    : [];
  return (
    <g class={`edge ${cutClass(cut)}`}>
      <path d={curveOf(line)} />
      {ports.map(
        ([port, { x, y }], at) =>
          port !== undefined && (
            <text key={at} x={x} y={y + 3}>
              {port}
            </text>
          ),
      )}
      <CutMark line={line} cut={cut} />
    </g>
  );
}

const ChannelLine = ({ line, cut }: { line: Line; cut: CutDirections }) => (
  <g class={`edge channel ${cutClass(cut)}`}>
    <path d={curveOf(line)} />
    <CutMark line={line} cut={cut} />
  </g>
);

/** A cross on a line that is cut; near the end that gets nothing, if only one does. */
function CutMark({ line, cut: { there, back } }: { line: Line; cut: CutDirections }) {
  if (!there && !back) return null;
  const { x, y } = pointAt(line, there && back ? 0.5 : there ? 0.65 : 0.35);
  return (
    <g class="cross" transform={`translate(${x} ${y})`}>
      <circle r={7} />
      <path d="M-4 -4L4 4M-4 4L4 -4" />
    </g>
  );
}

function StationMark({
  station: {
    name,
    point: { x, y },
    label,
    others,
  },
  line,
}: {
  station: DrawnStation;
  line: Line;
}) {
  return (
    <g class="station">
      <path d={curveOf(line)} />
      <rect x={x - 4} y={y - 4} width={8} height={8} />
      <text x={label.x} y={label.y}>
        {others === 0 ? cutName(name) : `${cutName(name)} +${others}`}
      </text>
      <title>{others === 0 ? `station ${name}` : `station ${name} and ${others} others`}</title>
    </g>
  );
}

/** A node without room for its name, which nothing happens to. */
const Dot = ({ name, point: { x, y }, onPick }: { name: string; point: Point; onPick: (node: string) => void }) => (
  <g class="node dot" onClick={() => onPick(name)}>
    <rect x={x - 5} y={y - 5} width={10} height={10} rx={3} />
    <title>{name}</title>
  </g>
);

interface BoxProps {
  readonly kind: 'node' | 'controller';
  readonly name: string;
  readonly point: Point;
  readonly desk: Desk;
  readonly box: Size;
  readonly isPicked?: boolean;
  readonly onPick?: (node: string) => void;
}

/** A node or a controller, with its name. */
function Box({ kind, name, point: { x, y }, desk, box: { width, height }, isPicked = false, onPick }: BoxProps) {
  const { event } = desk.settings.cursor;
  const { lives, events, verdict } = desk.execution;
  const status = lives.at(name, event);
  const isHere = events[event]?.process === name;
  const isWitness =
    desk.execution.violation === event && verdict.verdict === 'violated' && verdict.processes.includes(name);
  const classes = [kind, status, isHere ? 'here' : '', isPicked ? 'picked' : '', isWitness ? 'witness' : ''];
  return (
    <g class={classes.join(' ')} transform={`translate(${x} ${y})`} onClick={() => onPick?.(name)}>
      <rect x={-width / 2} y={-height / 2} width={width} height={height} rx={kind === 'node' ? 5 : 0} />
      <text y={4}>{cutName(name)}</text>
      {status === 'down' && <path class="crash" d={`M${width / 2 - 5} ${-height / 2 - 5}l10 10m0 -10l-10 10`} />}
      <title>{`${name}${status === 'down' ? ', crashed' : ''}${isWitness ? ', named by the verdict' : ''}`}</title>
    </g>
  );
}

const cutName = (name: string): string => (name.length <= NAME_MAX ? name : `${name.slice(0, NAME_MAX - 1)}…`);

/** The drawing for a reader who does not see it. */
function spokenOf(topology: ShownTopology, event: number): string {
  const { nodes, links, channels } = topology.graph;
  const cut = [
    ...links
      .filter((link) => cutClass(topology.cutOf(link, event)) !== '')
      .map(({ ends }) => ends.map(({ process }) => process)),
    ...channels
      .filter((channel) => cutClass(topology.cutOfChannel(channel, event)) !== '')
      .map(({ controller, node }) => [controller, node]),
  ];
  const places = topology.stationsAt(event).map(({ name, node }) => `${name} at ${node}`);
  return [
    `Topology after event ${event + 1}: ${nodes.length} nodes, ${links.length} links`,
    ...(cut.length === 0 ? [] : [`cut: ${cut.map((ends) => ends.join(' to ')).join(', ')}`]),
    ...(places.length === 0 ? [] : [`stations: ${places.join(', ')}`]),
  ].join('; ');
}
