import type { Dependency, DependencyGraph, DependencyKind } from './graph.ts';

/** A cycle of dependencies, and its name in the literature (Adya 1999). */
export interface Cycle {
  readonly anomaly: string;
  readonly dependencies: readonly Dependency[];
}

type Kinds = ReadonlySet<DependencyKind>;

const kindsOf = (...kinds: readonly DependencyKind[]): Kinds => new Set(kinds);

/** The kinds of cycles, the worst first. With `through`, a cycle has one dependency of that kind, and the others of these kinds. */
const cycles: readonly { readonly anomaly: string; readonly kinds: Kinds; readonly through?: DependencyKind }[] = [
  { anomaly: 'G0', kinds: kindsOf('ww') },
  { anomaly: 'G1c', kinds: kindsOf('ww', 'wr') },
  { anomaly: 'G-single', kinds: kindsOf('ww', 'wr'), through: 'rw' },
  { anomaly: 'G2', kinds: kindsOf('ww', 'wr', 'rw') },
  { anomaly: 'G0-realtime', kinds: kindsOf('ww', 'rt') },
  { anomaly: 'G1c-realtime', kinds: kindsOf('ww', 'wr', 'rt') },
  { anomaly: 'G-single-realtime', kinds: kindsOf('ww', 'wr', 'rt'), through: 'rw' },
  { anomaly: 'G2-realtime', kinds: kindsOf('ww', 'wr', 'rw', 'rt') },
];

const everyKind = kindsOf('ww', 'wr', 'rw', 'rt');

/** The worst cycle among those that are forbidden, and the shortest of its kind. */
export function worstCycle(graph: DependencyGraph, isForbidden: (anomaly: string) => boolean): Cycle | undefined {
  if (graph.isAcyclic(everyKind)) return undefined;
  for (const { anomaly, kinds, through } of cycles) {
    if (!isForbidden(anomaly)) continue;
    const dependencies = shortest(graph, kinds, through === undefined ? kinds : kindsOf(through));
    if (dependencies !== undefined) return { anomaly, dependencies };
  }
  return undefined;
}

/** The shortest cycle whose first dependency is of one of the kinds `first`. */
function shortest(graph: DependencyGraph, kinds: Kinds, first: Kinds): readonly Dependency[] | undefined {
  let best: readonly Dependency[] | undefined;
  for (const dependency of graph.transactions.flatMap((one) => graph.from(one, first))) {
    const back = graph.path(dependency.to, dependency.from, kinds);
    if (back !== undefined && back.length + 1 < (best?.length ?? Infinity)) best = [dependency, ...back];
  }
  return best;
}
