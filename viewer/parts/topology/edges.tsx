import type { Point, Size } from '../../model/topology/arrangement.ts';
import type { DrawnLink, Graph } from '../../model/topology/graph.ts';
import type { LineRoutes } from '../../model/topology/line-routes.ts';
import { besideBox, curveOf, pointAt, reversed, type Line } from '../../model/topology/line.ts';
import { isCut, type CutDirections, type ShownTopology } from '../../model/topology/shown-topology.ts';

interface Props {
  readonly topology: ShownTopology;
  readonly lines: LineRoutes;
  readonly box: Size;
  /** The event at the cursor. */
  readonly event: number;
  /** The node whose details are shown. */
  readonly node: string | undefined;
}

/** Port numbers of every link would cover a larger graph; those of one node would cover a dense one. */
const PORTS_MAX = 24;

/** More links than these are drawn pale. */
export const DENSE = 150;

/** Channels and links, and whether they are cut. */
export const Edges = ({ topology, lines, box, event, node }: Props) => (
  <g>
    {topology.graph.channels.map((channel) => (
      <ChannelLine
        key={`${channel.controller} ${channel.node}`}
        line={lines.channel(channel)}
        cut={topology.cutOfChannel(channel, event)}
      />
    ))}
    {topology.graph.links.map((link, at) => (
      <LinkLine
        key={at}
        link={link}
        line={lines.link(link)}
        cut={topology.cutOf(link, event)}
        box={box}
        hasPorts={showsPorts(topology.graph, link, node)}
      />
    ))}
  </g>
);

const showsPorts = ({ links }: Graph, { ends }: DrawnLink, node: string | undefined): boolean =>
  links.length <= PORTS_MAX || (links.length <= DENSE && ends.some(({ process }) => process === node));

const cutClass = (cut: CutDirections): string => (isCut(cut) ? 'cut' : '');

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
