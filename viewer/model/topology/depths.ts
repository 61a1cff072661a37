import type { ProcessTopology } from 'culprit/trace';

/** A deeper graph has no layers that a reader would recognize. */
const DEPTH_MAX = 4;

/**
 * How many links each node is away from the nearest node with a station: the edges of a tree have 0, its cores the most. Empty
 * if all nodes have the same depth, or the graph is too deep: then there are no layers. Takes time in proportion to the links.
 */
export function depthsOf({ nodes, links, stations = [] }: ProcessTopology): ReadonlyMap<string, number> {
  const neighbors = new Map<string, string[]>(nodes.map((name) => [name, []]));
  for (const {
    ends: [one, other],
  } of links) {
    neighbors.get(one.process)?.push(other.process);
    neighbors.get(other.process)?.push(one.process);
  }
  const depths = new Map<string, number>(stations.map(({ process }) => [process, 0]));
  let deepest = 0;
  // A Map iterates over what is added meanwhile: the queue of a breadth-first search.
  for (const [name, depth] of depths) {
    deepest = depth;
    for (const next of neighbors.get(name) ?? []) if (!depths.has(next)) depths.set(next, depth + 1);
  }
  if (deepest === 0 || deepest > DEPTH_MAX) return new Map();
  // Nodes that no station reaches are farthest away.
  return new Map(nodes.map((name) => [name, depths.get(name) ?? deepest]));
}
