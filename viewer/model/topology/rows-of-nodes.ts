import type { Graph } from './graph.ts';
import { MARGIN, STATION, type Area, type Arrangement, type Point } from './arrangement.ts';
import { pathOf } from './path-graph.ts';

/** Nodes in rows from top to bottom: the layers of a tree, or the one line of a path. Undefined for a graph without such a shape. */
export function inRows(graph: Graph, area: Area): Arrangement | undefined {
  const rows = rowsOf(graph, area);
  if (rows === undefined) return undefined;
  const longest = Math.max(1, ...rows.map(({ length }) => length));
  const heights = heightsOf(rows, graph, area);
  return {
    nodes: new Map(rows.flatMap((row, at) => inRow(row, heights[at] as number, area))),
    outward: () => ({ x: 0, y: 1 }),
    stationsFit: Math.max(1, Math.floor(gapOf(longest, area) / STATION.width)),
    isCrowded: false,
  };
}

function rowsOf(graph: Graph, area: Area): string[][] | undefined {
  // In a folded graph, nodes that happen to form a line keep their layers.
  const path = graph.folded.nodes === 0 || graph.depths.size === 0 ? pathOf(graph) : undefined;
  if (path !== undefined) return wrapped(path, area).map((row, at) => (at % 2 === 0 ? row : row.toReversed()));
  if (graph.depths.size === 0) return undefined;
  const layers = new Map<number, string[]>();
  for (const node of graph.nodes) {
    const depth = graph.depths.get(node) ?? 0;
    layers.set(depth, [...(layers.get(depth) ?? []), node]);
  }
  return [...layers].toSorted(([one], [other]) => other - one).flatMap(([, layer]) => wrapped(layer, area));
}

/** Rows of about equal length that fit into the width. */
function wrapped(names: readonly string[], { width, box }: Area): string[][] {
  const fit = Math.max(1, Math.floor((width - 2 * MARGIN) / (box.width + MARGIN)));
  const length = Math.ceil(names.length / Math.ceil(names.length / fit));
  const rows: string[][] = [];
  for (let at = 0; at < names.length; at += length) rows.push(names.slice(at, at + length));
  return rows;
}

/** The height of each row: below a row with stations is twice as much room as below others. */
function heightsOf(rows: readonly string[][], { stations }: Graph, { top, height, box, hasStations }: Area): number[] {
  const first = top + MARGIN + box.height / 2;
  const last = height - MARGIN - box.height / 2 - (hasStations ? STATION.distance : 0);
  if (rows.length === 1) return [(first + last) / 2];
  const withStations = new Set(stations.map(({ process }) => process));
  const shares = rows.slice(0, -1).map((row) => (row.some((name) => withStations.has(name)) ? 2 : 1));
  const unit = (last - first) / shares.reduce((sum, share) => sum + share, 0);
  let y = first;
  return [first, ...shares.map((share) => (y += share * unit))];
}

/** Farther apart, nodes of a row would look unrelated. */
const GAP_MAX = 200;

/** The distance of this many nodes in a row. */
const gapOf = (count: number, { width, box }: Area): number =>
  Math.min((width - 2 * MARGIN) / count, box.width + GAP_MAX);

/** Names in one row, in the middle. */
export function inRow(names: readonly string[], y: number, area: Area): [string, Point][] {
  const gap = gapOf(names.length, area);
  const left = (area.width - gap * names.length) / 2;
  return names.map((name, at) => [name, { x: left + gap * (at + 0.5), y }]);
}
