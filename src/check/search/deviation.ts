import { lineage } from './lineage.ts';
import type { Happened, Node } from './node.ts';

/** A transition other than the usual one, at a world that was met. */
export interface SearchDeviation {
  readonly from: Node;
  /** Keys of transitions: those that the deviation needs, then its own. */
  readonly keys: readonly number[];
  /** The key of the transition that the deviation overtakes; undefined if there is none. */
  readonly rival: number | undefined;
  /** The sum of the costs of all deviations so far. */
  readonly cost: number;
  /** The best tier that it can be in. */
  readonly tier: number;
}

/** A deviation, and its last known tier. */
interface RankedDeviation {
  readonly one: SearchDeviation;
  readonly tier: number;
}

/** Deviations as JSON, in order; `from` is the number of a node. */
export interface SavedDeviations {
  readonly nodes: readonly SavedNode[];
  readonly deviations: readonly SavedDeviation[];
}

type SavedDeviation = readonly [
  tier: number,
  from: number,
  keys: readonly number[],
  rival: number | null,
  cost: number,
  best: number,
];

export function savedDeviations(all: readonly RankedDeviation[]): SavedDeviations {
  const { nodes, numberOf } = savedNodes(all.map(({ one }) => one.from));
  const saved = ({ tier, one: { from, keys, rival, cost, tier: best } }: RankedDeviation): SavedDeviation => [
    tier,
    numberOf(from),
    keys,
    rival ?? null,
    cost,
    best,
  ];
  return { nodes, deviations: all.map(saved) };
}

export function deviationsIn({ nodes, deviations }: SavedDeviations): RankedDeviation[] {
  const known = nodesIn(nodes);
  return deviations.map(([tier, from, keys, rival, cost, best]) => ({
    tier,
    one: { from: known[from] as Node, keys, rival: rival ?? undefined, cost, tier: best },
  }));
}

/** A node as JSON: the number of its parent, the transition that led there, and its predecessors. */
type SavedNode = readonly [
  parent: number,
  key: number,
  since: number,
  needs: readonly number[],
  previous: number,
  thread: number,
  process: string | null,
  sender: string | null,
  isInternal: boolean,
];

/** These nodes and their ancestors, each after its parent. */
function savedNodes(ends: readonly Node[]): {
  readonly nodes: readonly SavedNode[];
  readonly numberOf: (node: Node) => number;
} {
  const { all, numberOf } = lineage(ends, ({ parent }) => parent);
  return { nodes: all.map((node) => savedNode(node, numberOf)), numberOf };
}

function savedNode({ parent, by, since, needs, previous }: Node, numberOf: (node: Node) => number): SavedNode {
  const { thread = -1, process = null, sender = null, isInternal = false } = by ?? {};
  const from = parent === undefined ? -1 : numberOf(parent);
  return [from, by?.key ?? 0, since, needs, previous, thread, process, sender, isInternal];
}

function nodesIn(all: readonly SavedNode[]): Node[] {
  const nodes: Node[] = [];
  for (const saved of all) nodes.push(nodeIn(saved, nodes[saved[0]]));
  return nodes;
}

function nodeIn(saved: SavedNode, parent: Node | undefined): Node {
  const [, key, since, needs, previous, thread, process, sender, isInternal] = saved;
  const by: Happened = {
    key,
    transition: undefined,
    thread,
    process: process ?? undefined,
    sender: sender ?? undefined,
    isInternal,
  };
  return {
    parent,
    by: parent === undefined ? undefined : by,
    depth: parent === undefined ? 0 : parent.depth + 1,
    since,
    needs,
    previous,
    state: undefined,
  };
}
