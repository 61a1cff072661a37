/** Aligns cells in columns; the last cell of a row may be longer. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.min(WIDTH_MAX, Math.max(widths[at] ?? 0, cell.length));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Longer cells do not widen the column. */
const WIDTH_MAX = 56;
