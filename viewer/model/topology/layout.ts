import { MARGIN, type Arrangement, type Point, type Size } from './arrangement.ts';
import { aroundEllipse } from './ellipse.ts';
import type { Graph } from './graph.ts';
import { inRow, inRows } from './rows-of-nodes.ts';

export interface Layout extends Arrangement {
  readonly size: Size;
  /** The size of the box of a node or controller, with its name. */
  readonly box: Size;
  readonly controllers: ReadonlyMap<string, Point>;
}

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
