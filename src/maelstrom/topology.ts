export const topologyNames = ['grid', 'line', 'total', 'tree'] as const;

export type TopologyName = (typeof topologyNames)[number];

type Neighbors = Readonly<Record<string, readonly string[]>>;

/** The neighbors of each node, as Maelstrom arranges nodes by name. */
export function neighborsIn(name: TopologyName, nodes: readonly string[]): Neighbors {
  const isJoined = joins[name];
  const width = Math.ceil(Math.sqrt(nodes.length));
  return Object.fromEntries(
    nodes.map((node, at) => [
      node,
      nodes.filter((_, other) => other !== at && isJoined(Math.min(at, other), Math.max(at, other), width)),
    ]),
  );
}

/** Whether two nodes are neighbors, by their places; the smaller comes first. */
const joins: Readonly<Record<TopologyName, (low: number, high: number, width: number) => boolean>> = {
  total: () => true,
  line: (low, high) => high - low === 1,
  // As in a heap.
  tree: (low, high) => (high - 1) >> 1 === low,
  grid: (low, high, width) => high - low === width || (high - low === 1 && high % width !== 0),
};
