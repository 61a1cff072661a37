import type { Graph } from './graph.ts';
import { MARGIN, STATION, type Area, type Arrangement, type Point } from './arrangement.ts';

/** A circle of few nodes is not stretched to more than this many times its height. */
const STRETCH_MAX = 2.2;
const FEW = 12;

/** The room that a node without a name takes. */
const DOT = 13;

/** Nodes on an ellipse, clockwise from the top. */
export function aroundEllipse({ nodes: names, touched }: Graph, area: Area): Arrangement {
  const { width, height, top, box, hasStations } = area;
  const rim = MARGIN + (hasStations ? STATION.distance : 0);
  const center = { x: width / 2, y: (top + height) / 2 };
  const tall = Math.max(1, (height - top) / 2 - rim - box.height / 2);
  const wide = Math.max(1, width / 2 - rim - box.width / 2 - MARGIN);
  const ellipse = new Ellipse({ x: names.length > FEW ? wide : Math.min(wide, STRETCH_MAX * tall), y: tall }, center);
  const isCrowded = names.length * (box.width + 4) > ellipse.perimeter;
  const rooms = names.map((name) => (isCrowded && !touched.has(name) ? DOT : box.width + DOT));
  const points = names.length === 1 ? [center] : ellipse.spread(rooms, top > 0);
  const nodes = new Map(names.map((name, at) => [name, points[at] as Point]));
  return {
    nodes,
    outward: (node) => unit(center, nodes.get(node) ?? center),
    stationsFit: names.length > FEW ? 1 : 3,
    isCrowded,
  };
}

/** Points of an ellipse that are looked at to measure it. */
const SAMPLES = 720;
const STEP = (2 * Math.PI) / SAMPLES;
const TOP = -Math.PI / 2;

class Ellipse {
  /** The length of the arc from the top, clockwise, to each sample. */
  private readonly lengths: readonly number[];

  constructor(
    private readonly radius: Point,
    private readonly center: Point,
  ) {
    const lengths = [0];
    for (let at = 0; at < SAMPLES; at++) {
      const angle = TOP + (at + 0.5) * STEP;
      lengths.push((lengths[at] as number) + Math.hypot(radius.x * Math.sin(angle), radius.y * Math.cos(angle)) * STEP);
    }
    this.lengths = lengths;
  }

  get perimeter(): number {
    return this.lengths[SAMPLES] as number;
  }

  /** Points with arcs around them in proportion to their rooms. The top is between two of them, if it has to be free; two are left and right. */
  spread(rooms: readonly number[], isTopFree: boolean): Point[] {
    const whole = rooms.reduce((sum, room) => sum + room, 0);
    const [first = 0] = rooms;
    let before = rooms.length === 2 ? 0 : isTopFree ? 0 : -first / 2;
    return rooms.map((room) => {
      const middle = before + room / 2;
      before += room;
      return this.pointAfter((middle / whole) * this.perimeter);
    });
  }

  private pointAfter(length: number): Point {
    let [low, high] = [0, SAMPLES];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.lengths[middle] as number) < length) low = middle + 1;
      else high = middle;
    }
    const angle = TOP + low * STEP;
    return { x: this.center.x + this.radius.x * Math.cos(angle), y: this.center.y + this.radius.y * Math.sin(angle) };
  }
}

/** The direction from one point to another; down if they are the same. */
function unit(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return length === 0 ? { x: 0, y: 1 } : { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}
