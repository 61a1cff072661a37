import type { Link } from '../base/discovery.ts';
import type { Place } from '../base/lldp.ts';

/**
 * The ends of those links that join all switches without a circle, as far as the links do. Links count in the order of their ends,
 * so that the same links give the same tree.
 */
export function spanningTree(links: readonly Link[]): Place[] {
  const parents = new Map<number, number>();
  const rootOf = (dpid: number): number => {
    const parent = parents.get(dpid);
    return parent === undefined ? dpid : rootOf(parent);
  };
  return links.toSorted(byEnds).flatMap(({ from, to }) => {
    const [one, other] = [rootOf(from.dpid), rootOf(to.dpid)];
    if (one === other) return [];
    parents.set(one, other);
    return [from, to];
  });
}

const byEnds = (one: Link, other: Link): number => {
  const [[a, b], [c, d]] = [orderedEnds(one), orderedEnds(other)];
  return byPlace(a, c) || byPlace(b, d);
};

const orderedEnds = ({ from, to }: Link): [Place, Place] => (byPlace(from, to) <= 0 ? [from, to] : [to, from]);

const byPlace = (one: Place, other: Place): number => one.dpid - other.dpid || one.port - other.port;
