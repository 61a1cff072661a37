/** These items and all their ancestors: each after its parent, and numbered in this order. */
export function lineage<T>(
  ends: Iterable<T>,
  parentOf: (one: T) => T | undefined,
): { readonly all: readonly T[]; readonly numberOf: (one: T) => number } {
  const numbers = new Map<T, number>();
  for (const end of ends) {
    const unknown: T[] = [];
    for (let at: T | undefined = end; at !== undefined && !numbers.has(at); at = parentOf(at)) unknown.push(at);
    for (const one of unknown.reverse()) numbers.set(one, numbers.size);
  }
  return { all: [...numbers.keys()], numberOf: (one) => numbers.get(one) as number };
}
