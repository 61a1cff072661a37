import type { Graph } from './graph.ts';
import { pathOf } from './path-graph.ts';

/** Everything in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly size: Size;
  /** The size of the box of a node or controller, with its name. */
  readonly box: Size;
  readonly nodes: ReadonlyMap<string, Point>;
  readonly controllers: ReadonlyMap<string, Point>;
  /** The direction from a node toward its stations, as a vector of length 1. */
  readonly outward: (node: string) => Point;
  /** How many stations fit beside a node. */
  readonly stationsFit: number;
}

const MARGIN = 12;
const BOX_HEIGHT = 22;
/** The room that a station takes beside its node. */
export const STATION = { distance: 36, width: 34 } as const;
const CONTROLLERS_HEIGHT = 58;

/** The same places for the same graph and size. The graph is bounded. */
export function layoutOf(graph: Graph, size: Size): Layout {
  const box = { width: boxWidth([...graph.nodes, ...graph.controllers]), height: BOX_HEIGHT };
  const top = graph.controllers.length > 0 ? CONTROLLERS_HEIGHT : 0;
  const area = { ...size, top, box, hasStations: graph.stations.length > 0 };
  const rows = rowsOf(graph, area);
  const controllers = new Map(inRow(graph.controllers, MARGIN + BOX_HEIGHT / 2, area));
  if (rows !== undefined) return { size, box, controllers, ...layered(rows, area) };
  return { size, box, controllers, ...around(graph.nodes, area) };
}

interface Area extends Size {
  /** The height of the controllers. */
  readonly top: number;
  readonly box: Size;
  readonly hasStations: boolean;
}

/** Longer names are cut by the drawing. */
export const NAME_MAX = 12;
const boxWidth = (names: readonly string[]): number =>
  Math.max(32, 14 + 7 * Math.min(NAME_MAX, Math.max(0, ...names.map(({ length }) => length))));

/** Nodes in rows from top to bottom: the layers of a tree, or the one line of a path. Undefined for a graph without such a shape. */
function rowsOf(graph: Graph, area: Area): string[][] | undefined {
  const path = pathOf(graph);
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

function layered(rows: readonly string[][], area: Area): Pick<Layout, 'nodes' | 'outward' | 'stationsFit'> {
  const { top, height, box, hasStations, width } = area;
  const first = top + MARGIN + box.height / 2;
  const last = height - MARGIN - box.height / 2 - (hasStations ? STATION.distance : 0);
  const y = (at: number): number =>
    rows.length === 1 ? (first + last) / 2 : first + (at * (last - first)) / (rows.length - 1);
  const longest = Math.max(1, ...rows.map(({ length }) => length));
  return {
    nodes: new Map(rows.flatMap((row, at) => inRow(row, y(at), area))),
    outward: () => ({ x: 0, y: 1 }),
    stationsFit: Math.max(1, Math.floor((width - 2 * MARGIN) / longest / STATION.width)),
  };
}

/** Farther apart, nodes of a row would look unrelated. */
const GAP_MAX = 150;

/** Names in one row, in the middle. */
function inRow(names: readonly string[], y: number, { width, box }: Area): [string, Point][] {
  const room = width - 2 * MARGIN;
  const gap = Math.min(room / names.length, box.width + GAP_MAX);
  const left = (width - gap * names.length) / 2;
  return names.map((name, at) => [name, { x: left + gap * (at + 0.5), y }]);
}

/** A circle of few nodes is not stretched to more than this many times its height. */
const STRETCH_MAX = 2.2;
const FEW = 12;

/** Nodes on an ellipse, clockwise from the top, equal distances apart. */
function around(names: readonly string[], area: Area): Pick<Layout, 'nodes' | 'outward' | 'stationsFit'> {
  const { width, height, top, box, hasStations } = area;
  const rim = MARGIN + (hasStations ? STATION.distance : 0);
  const center = { x: width / 2, y: (top + height) / 2 };
  const tall = Math.max(1, (height - top) / 2 - rim - box.height / 2);
  const wide = Math.max(1, width / 2 - rim - box.width / 2 - MARGIN);
  const radius = { x: names.length > FEW ? wide : Math.min(wide, STRETCH_MAX * tall), y: tall };
  const angles = equallySpaced(names.length, radius);
  const nodes = new Map(
    names.map((name, at): [string, Point] => {
      const angle = angles[at] as number;
      return [name, { x: center.x + radius.x * Math.cos(angle), y: center.y + radius.y * Math.sin(angle) }];
    }),
  );
  if (names.length === 1) nodes.set(names[0] as string, center);
  return {
    nodes,
    outward: (node) => unit(center, nodes.get(node) ?? center),
    stationsFit: names.length > FEW ? 1 : 3,
  };
}

/** Points of the ellipse that are looked at to measure it. */
const SAMPLES = 720;

/** Angles of points on an ellipse with equal arcs between them; two points are left and right. */
function equallySpaced(count: number, radius: Point): number[] {
  const start = count === 2 ? Math.PI : -Math.PI / 2;
  const step = (2 * Math.PI) / SAMPLES;
  const lengths = [0];
  for (let at = 0; at < SAMPLES; at++) {
    const angle = start + (at + 0.5) * step;
    const length = Math.hypot(radius.x * Math.sin(angle), radius.y * Math.cos(angle)) * step;
    lengths.push((lengths[at] as number) + length);
  }
  const whole = lengths[SAMPLES] as number;
  let at = 0;
  return Array.from({ length: count }, (_, nth) => {
    while ((lengths[at] as number) < (nth * whole) / count) at++;
    return start + at * step;
  });
}

/** The direction from one point to another; down if they are the same. */
function unit(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return length === 0 ? { x: 0, y: 1 } : { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}
