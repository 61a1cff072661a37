/** Lines of which the first word says what they are about, as all commands have them: the text begins at column 10. */
export const labeled = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, at) => `${(at === 0 ? label : '').padEnd(10)}${line}`.trimEnd());

/** Cells under one another; the last of a row is not waited for. */
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

/** Wider cells are not waited for. */
const WIDTH_MAX = 56;
