import type { Row } from './row.ts';

/** Rows in columns, for people. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.case, row.metric, rounded(row.value), row.unit, row.target ?? '']);
  return columns([['case', 'metric', 'value', 'unit', 'target'], ...cells], (column) => column === VALUE);
}

const VALUE = 2;

/** Lines of cells, with some columns right-aligned. */
export function columns(lines: readonly (readonly string[])[], isRight: (column: number) => boolean): string {
  const width = (column: number): number => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const padded = (cell: string, column: number): string =>
    isRight(column) ? cell.padStart(width(column)) : cell.padEnd(width(column));
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n');
}

/** Three significant digits, as more would be noise; large numbers have thousands separators. */
function rounded(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 4 });
}

/** Integers unchanged, fractions rounded. */
export const exact = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });
