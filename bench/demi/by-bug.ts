/** Groups rows by bug, in the order of first appearance. */
export function byBug<R extends { readonly bug: string }>(rows: readonly R[]): (readonly [string, readonly R[]])[] {
  return [...new Set(rows.map(({ bug }) => bug))].map((bug) => [bug, rows.filter((row) => row.bug === bug)]);
}
