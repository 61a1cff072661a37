import { aroundEllipse } from './ellipse.ts';
import type { Graph } from './graph.ts';
import { inRow, inRows } from './rows-of-nodes.ts';

/** Everything in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Layout extends Arrangement {
  readonly size: Size;
  /** The size of the box of a node or controller, with its name. */
  readonly box: Size;
  readonly controllers: ReadonlyMap<string, Point>;
}

/** The places of nodes. */
export interface Arrangement {
  readonly nodes: ReadonlyMap<string, Point>;
  /** The direction from a node toward its stations, as a vector of length 1. */
  readonly outward: (node: string) => Point;
  /** How many stations fit beside a node. */
  readonly stationsFit: number;
  /** Whether there is no room for the names of nodes that the execution does not touch. */
  readonly isCrowded: boolean;
}

/** The room for nodes. */
export interface Area extends Size {
  /** The height of the controllers above. */
  readonly top: number;
  readonly box: Size;
  readonly hasStations: boolean;
}

export const MARGIN = 12;
/** The room that a station takes beside its node. */
export const STATION = { distance: 44, width: 34 } as const;
const BOX_HEIGHT = 22;
const CONTROLLERS_HEIGHT = 58;
/** Of the text about what is not drawn, below. */
const FOLDED_HEIGHT = 16;

/** The same places for the same graph and size: in rows if the graph has layers or is a line, otherwise on an ellipse. */
export function layoutOf(graph: Graph, size: Size): Layout {
  const box = { width: boxWidth([...graph.nodes, ...graph.controllers]), height: BOX_HEIGHT };
  const top = graph.controllers.length > 0 ? CONTROLLERS_HEIGHT : 0;
  const height = size.height - (Object.values(graph.folded).some((count) => count > 0) ? FOLDED_HEIGHT : 0);
  const area = { width: size.width, height, top, box, hasStations: graph.stations.length > 0 };
  const controllers = new Map(inRow(graph.controllers, MARGIN + BOX_HEIGHT / 2, area));
  return { size, box, controllers, ...(inRows(graph, area) ?? aroundEllipse(graph, area)) };
}

/** Longer names are cut by the drawing. */
export const NAME_MAX = 12;

const boxWidth = (names: readonly string[]): number =>
  Math.max(32, 14 + 7 * Math.min(NAME_MAX, Math.max(0, ...names.map(({ length }) => length))));
