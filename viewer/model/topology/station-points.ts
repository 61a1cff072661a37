import { STATION, type Point } from './arrangement.ts';
import type { Layout } from './layout.ts';

/** A station beside its node; without a name, it stands for those that do not fit. */
export interface DrawnStation {
  readonly node: string;
  readonly name: string;
  readonly point: Point;
  /** The place of its name: farther from the node. */
  readonly label: Point;
  /** How many stations this one stands for, if it is more than one. */
  readonly others: number;
}

/** The stations beside their nodes, those that are `wanted` first. The last of too many stands for the others. */
export function stationPoints(
  { nodes, outward, stationsFit }: Layout,
  stations: readonly { readonly name: string; readonly node: string }[],
  wanted: ReadonlySet<string> = new Set(),
): DrawnStation[] {
  const byNode = new Map<string, string[]>();
  for (const { name, node } of stations) byNode.set(node, [...(byNode.get(node) ?? []), name]);
  return [...byNode].flatMap(([node, names]) => {
    const sorted = names.toSorted((one, other) => Number(wanted.has(other)) - Number(wanted.has(one)));
    const shown = names.length <= stationsFit ? names : sorted.slice(0, stationsFit);
    const from = nodes.get(node);
    if (from === undefined) return [];
    const toward = outward(node);
    return shown.map((name, at) => ({
      node,
      name,
      ...beside(from, toward, at - (shown.length - 1) / 2),
      others: at === shown.length - 1 ? names.length - shown.length : 0,
    }));
  });
}

/** The place of a station, so many places from the middle. */
function beside(node: Point, toward: Point, place: number): Pick<DrawnStation, 'point' | 'label'> {
  // Across the direction in which the stations are; names are wide, so they need more room side by side than one below the other.
  const apart = STATION.width * (1 - 0.45 * Math.abs(toward.x)) * place;
  const x = node.x + toward.x * (STATION.distance + 8) + toward.y * apart;
  const y = node.y + toward.y * STATION.distance - toward.x * apart;
  return { point: { x, y }, label: { x: x + toward.x * 16, y: y + 4 + toward.y * 13 } };
}
