/** The resources that an event touches, as numbers: see `Dependence`. Most have one or two. */
export interface Footprint {
  readonly writes: readonly number[];
  readonly reads: readonly number[];
}

/** Whether the order of two events may matter. */
export function conflicts(one: Footprint, other: Footprint): boolean {
  return meet(one.writes, other.writes) || meet(one.writes, other.reads) || meet(one.reads, other.writes);
}

function meet(some: readonly number[], others: readonly number[]): boolean {
  for (const at of some) if (others.includes(at)) return true;
  return false;
}
