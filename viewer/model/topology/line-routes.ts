import type { Channel } from './channels.ts';
import type { DrawnLink } from './graph.ts';
import type { Point } from './arrangement.ts';
import type { Layout } from './layout.ts';
import { lineBetween, pointAt, type Line } from './line.ts';
import type { DrawnStation } from './station-points.ts';

/** The distance between parallel links. */
const PARALLEL = 24;

/** Bends that are tried until a line passes no box of another node. */
const BENDS = [0, 22, -22, 44, -44] as const;

/** Among more lines than this, a line may pass a box. */
const ROUTED_MAX = 60;

/** The lines of a layout, each computed once. */
export class LineRoutes {
  private readonly links = new Map<DrawnLink, Line>();
  private readonly channels = new Map<Channel, Line>();
  private readonly boxes: readonly Point[];

  constructor(
    private readonly layout: Layout,
    /** How many lines there are. */
    private readonly count: number,
  ) {
    this.boxes = [...layout.nodes.values(), ...layout.controllers.values()];
  }

  /** From its first end to its second. */
  link(link: DrawnLink): Line {
    return known(this.links, link, ({ ends: [one, other], nth, of }) => {
      const { nodes } = this.layout;
      const [from, to] = [nodes.get(one.process) ?? ORIGIN, nodes.get(other.process) ?? ORIGIN];
      // Parallel links may be declared in opposite directions, but are bent in the same one.
      const side = one.process < other.process ? 1 : -1;
      return of > 1 ? lineBetween(from, to, side * (nth - (of - 1) / 2) * PARALLEL) : this.routed(from, to);
    });
  }

  /** From the controller to the node. */
  channel(channel: Channel): Line {
    return known(this.channels, channel, ({ controller, node }) => {
      const { nodes, controllers } = this.layout;
      return this.routed(controllers.get(controller) ?? ORIGIN, nodes.get(node) ?? ORIGIN);
    });
  }

  /** From the station to its node. */
  station({ point, node }: DrawnStation): Line {
    return lineBetween(point, this.layout.nodes.get(node) ?? ORIGIN);
  }

  private routed(from: Point, to: Point): Line {
    const straight = lineBetween(from, to);
    if (this.count > ROUTED_MAX) return straight;
    const others = this.boxes.filter((box) => box !== from && box !== to);
    return BENDS.map((bend) => lineBetween(from, to, bend)).find((line) => !this.passes(line, others)) ?? straight;
  }

  private passes(line: Line, boxes: readonly Point[]): boolean {
    const { width, height } = this.layout.box;
    for (let part = 0.05; part < 1; part += 0.05) {
      const { x, y } = pointAt(line, part);
      if (boxes.some((box) => Math.abs(box.x - x) < width / 2 + 3 && Math.abs(box.y - y) < height / 2 + 3)) return true;
    }
    return false;
  }
}

const ORIGIN: Point = { x: 0, y: 0 };

function known<K, V>(values: Map<K, V>, key: K, make: (key: K) => V): V {
  const value = values.get(key) ?? make(key);
  values.set(key, value);
  return value;
}
