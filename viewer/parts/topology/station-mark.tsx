import { curveOf, type Line } from '../../model/topology/line.ts';
import type { DrawnStation } from '../../model/topology/station-points.ts';
import { cutName } from './cut-name.ts';

/** A station beside its node. */
export function StationMark({ station, line }: { readonly station: DrawnStation; readonly line: Line }) {
  const { name, point, label, others } = station;
  return (
    <g class="station">
      <path d={curveOf(line)} />
      <rect x={point.x - 4} y={point.y - 4} width={8} height={8} />
      <text x={label.x} y={label.y}>
        {others === 0 ? cutName(name) : `${cutName(name)} +${others}`}
      </text>
      <title>{others === 0 ? `station ${name}` : `station ${name} and ${others} others`}</title>
    </g>
  );
}
