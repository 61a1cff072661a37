import type { Graph } from './graph.ts';

/** The nodes of a graph that is one line, from end to end; undefined for any other graph. */
export function pathOf({ nodes, links }: Pick<Graph, 'nodes' | 'links'>): string[] | undefined {
  const neighbors = new Map<string, Set<string>>(nodes.map((name) => [name, new Set()]));
  for (const {
    ends: [one, other],
  } of links) {
    neighbors.get(one.process)?.add(other.process);
    neighbors.get(other.process)?.add(one.process);
  }
  if (nodes.length < 2 || [...neighbors.values()].some(({ size }) => size > 2)) return undefined;
  const path: string[] = [];
  const seen = new Set<string>();
  let next = nodes.find((name) => neighbors.get(name)?.size === 1);
  while (next !== undefined) {
    path.push(next);
    seen.add(next);
    next = [...(neighbors.get(next) ?? [])].find((name) => !seen.has(name));
  }
  return path.length === nodes.length ? path : undefined;
}
