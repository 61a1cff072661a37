import type { Row } from './row.ts';

/** Rows in columns, for people. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.case, row.metric, rounded(row.value), row.unit, row.target ?? '']);
  const lines = [['case', 'metric', 'value', 'unit', 'target'], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = (cell: string, column: number): string =>
    column === VALUE ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n');
}

const VALUE = 2;

/** Three digits say what a noisy machine can tell; large numbers get their thousands apart. */
function rounded(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 4 });
}
