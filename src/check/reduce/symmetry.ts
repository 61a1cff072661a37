/** How many faults happen to each process. */
export type FaultsOf = (process: string) => number;

/**
 * Whether the faults are those of the first plan among those that differ only in which of some interchangeable processes
 * they happen to: the earlier process of a group has at least as many.
 */
export const isFirstOfItsKind = (groups: readonly (readonly string[])[], faultsOf: FaultsOf): boolean =>
  groups.every((group) =>
    group.every((process, at) => at === 0 || faultsOf(group[at - 1] as string) >= faultsOf(process)),
  );
