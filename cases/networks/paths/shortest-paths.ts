import type { Link } from '../base/discovery.ts';

/** The port by which a switch reaches its neighbor. */
export type Adjacency = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** The links that are known in both directions. */
export function adjacencyOf(links: readonly Link[]): Adjacency {
  const adjacency = new Map<number, Map<number, number>>();
  const isReversed = ({ from, to }: Link): boolean =>
    links.some((one) => one.from.dpid === to.dpid && one.from.port === to.port && one.to.dpid === from.dpid);
  for (const link of links) {
    if (!isReversed(link)) continue;
    const ports = adjacency.get(link.from.dpid) ?? new Map<number, number>();
    if (!ports.has(link.to.dpid)) ports.set(link.to.dpid, link.from.port);
    adjacency.set(link.from.dpid, ports);
  }
  return adjacency;
}

/** The distances of all pairs, and a switch between each two that are no neighbors: by Floyd and Warshall. */
class Distances {
  private readonly hops = new Map<string, number>();
  private readonly between = new Map<string, number>();

  constructor(adjacency: Adjacency) {
    const all = [...adjacency.keys()].toSorted((a, b) => a - b);
    for (const from of all) for (const to of adjacency.get(from)?.keys() ?? []) this.hops.set(`${from} ${to}`, 1);
    for (const middle of all) for (const from of all) for (const to of all) this.shorten(from, middle, to);
  }

  private shorten(from: number, middle: number, to: number): void {
    const there = this.of(from, middle) + this.of(middle, to);
    if (from === to || there >= this.of(from, to)) return;
    this.hops.set(`${from} ${to}`, there);
    this.between.set(`${from} ${to}`, middle);
  }

  private of(from: number, to: number): number {
    return from === to ? 0 : (this.hops.get(`${from} ${to}`) ?? Infinity);
  }

  /** The switches after `from` up to `to`; undefined if there is no way. */
  way(from: number, to: number): number[] | undefined {
    if (from === to) return [];
    if (this.of(from, to) === Infinity) return undefined;
    const middle = this.between.get(`${from} ${to}`);
    if (middle === undefined) return [to];
    return [...(this.way(from, middle) ?? []), ...(this.way(middle, to) ?? [])];
  }
}

/** A switch on a path, and the port by which the path leaves it. */
export interface PathStep {
  readonly dpid: number;
  readonly port: number;
}

/** The shortest path from a switch to a port of a switch; undefined if there is none. */
export function shortestPath(adjacency: Adjacency, from: number, to: PathStep): PathStep[] | undefined {
  const way = new Distances(adjacency).way(from, to.dpid);
  if (way === undefined) return undefined;
  const all = [from, ...way];
  return all.map((dpid, at) => {
    const next = all[at + 1];
    return { dpid, port: next === undefined ? to.port : (adjacency.get(dpid)?.get(next) ?? 0) };
  });
}
