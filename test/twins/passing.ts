/** The obvious way to find arrows that pass through a range: scan everything. Those that began last come first. */
export const passing = <A extends { readonly from: number; readonly to: number }>(
  arrows: readonly A[],
  first: number,
  last: number,
): A[] => arrows.filter(({ from, to }) => from < first && to > last).toSorted((a, b) => b.from - a.from || b.to - a.to);
