/** The slow and obvious twin of the alignment: the length of a longest common subsequence, by trying everything. */
export function lengthOfCommon(left: readonly string[], right: readonly string[]): number {
  const known = new Map<string, number>();
  const from = (one: number, other: number): number => {
    if (one === left.length || other === right.length) return 0;
    const key = `${one} ${other}`;
    const best =
      known.get(key) ??
      Math.max(
        from(one + 1, other),
        from(one, other + 1),
        left[one] === right[other] ? 1 + from(one + 1, other + 1) : 0,
      );
    known.set(key, best);
    return best;
  };
  return from(0, 0);
}
