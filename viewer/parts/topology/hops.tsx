import type { DrawnHop } from '../../model/topology/shown-topology.ts';
import type { DrawnStation } from '../../model/topology/station-points.ts';
import type { LineRoutes } from '../../model/topology/line-routes.ts';
import { curveOf, headAt, pointAt, reversed, shifted, type Line } from '../../model/topology/line.ts';

interface Props {
  readonly hops: readonly DrawnHop[];
  readonly lines: LineRoutes;
  readonly stations: readonly DrawnStation[];
  /** The event at the cursor. */
  readonly event: number;
}

/** Numbers of more hops would cover each other. */
const NUMBERS_MAX = 16;

/** The way of a packet, or of the message at the cursor. */
export const Hops = ({ hops, lines, stations, event }: Props) => (
  <g class="hops">
    {hops.map((hop, at) => {
      const line = lineOf(hop, lines, stations);
      return line && <HopArrow key={at} hop={hop} line={line} event={event} hasNumber={hops.length <= NUMBERS_MAX} />;
    })}
  </g>
);

/** From the sender to the receiver, beside the line of the link: the way back is on its other side. */
function lineOf(
  { along, from, to, fromName }: DrawnHop,
  lines: LineRoutes,
  stations: readonly DrawnStation[],
): Line | undefined {
  if (along === undefined) return undefined;
  if (along === 'station') {
    const station = stations.find(
      ({ name, node }) => (name === fromName && node === to) || (name === to && node === from),
    );
    if (station === undefined) return undefined;
    return shifted(station.name === to ? reversed(lines.station(station)) : lines.station(station), 3);
  }
  const [line, begin] =
    'ends' in along ? [lines.link(along), along.ends[0].process] : [lines.channel(along), along.controller];
  return shifted(begin === from ? line : reversed(line), 4);
}

export const standingOf = (hop: DrawnHop, event: number): 'past' | 'self' | 'future' =>
  hop.event < event ? 'past' : hop.event === event ? 'self' : 'future';

function HopArrow({ hop, line, event, hasNumber }: { hop: DrawnHop; line: Line; event: number; hasNumber: boolean }) {
  const end = pointAt(line, 0.35);
  const isShort = hop.along === 'station';
  const number = pointAt(shifted(line, isShort ? 11 : 9), isShort ? 0.3 : 0.4);
  return (
    <g class={`hop ${standingOf(hop, event)} ${hop.fate}`}>
      <path class="way" d={curveOf(line)} />
      {hop.fate === 'arrived' && <path class="head" d={headAt(line, isShort ? 0.55 : 0.66)} />}
      {hop.fate === 'lost' && <path class="crash" d={`M${end.x - 5} ${end.y - 5}l10 10m0 -10l-10 10`} />}
      {hop.fate === 'pending' && <circle class="head" cx={end.x} cy={end.y} r={4} />}
      {hasNumber && (
        <text x={number.x} y={number.y + 3}>
          {hop.event + 1}
        </text>
      )}
    </g>
  );
}
