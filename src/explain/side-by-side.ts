import { wrapList } from '../text/wrap.ts';
import type { Paint } from './story-report.ts';

/** An event as text in a column. */
export interface Line {
  readonly number: string;
  readonly who: string;
  readonly what: string;
  readonly became: string;
  readonly paint: Paint;
}

/** A row: a text across both columns, or an event on one side or on both. */
export type Cell = { readonly across: Piece } | { readonly mark: string; readonly left?: Line; readonly right?: Line };

/** A text with and without colors. */
interface Piece {
  readonly text: string;
  readonly painted: string;
}

/** Narrower terminals get one column. */
const TWO_COLUMNS_MIN = 120;

/** Formats rows in two columns if they fit, otherwise in one. */
export function sideBySide(rows: readonly Cell[], width: number | undefined): string[] {
  const isWide = width !== undefined && width >= TWO_COLUMNS_MIN;
  const shown = rows.map((row) => (isWide || 'across' in row ? row : mergedSides(row)));
  const columns = columnsFor(shown);
  return shown.flatMap((row) => {
    if ('across' in row) return [`  ${row.across.painted}`];
    return isWide ? inTwo(row, columns, Math.floor((width - 5) / 2)) : inOne(row, columns, width);
  });
}

interface SideColumns {
  readonly number: number;
  readonly who: number;
  readonly what: number;
}

/** Longer texts do not widen the column. */
const WHAT_MAX = 48;

function columnsFor(rows: readonly Cell[]): SideColumns {
  const lines = rows
    .flatMap((row) => ('across' in row ? [] : [row.left, row.right]))
    .filter((line) => line !== undefined);
  const widest = (part: (line: Line) => string, most = Number.POSITIVE_INFINITY): number =>
    lines.reduce((before, line) => Math.max(before, part(line).length <= most ? part(line).length : 0), 0);
  const [number, who] = [widest((line) => line.number), widest((line) => line.who, WHAT_MAX)];
  return { number, who, what: widest(({ what }) => what, WHAT_MAX) };
}

type SideRow = Exclude<Cell, { across: Piece }>;

/** In one column, an event that is the same on both sides is shown once, followed by its effect on each side. */
function mergedSides(row: SideRow): SideRow {
  const { left, right } = row;
  if (left === undefined || right === undefined || left.what !== right.what) return row;
  const became =
    left.became === right.became
      ? [left.became, 'in a different state'].filter((part) => part !== '').join('; ')
      : `left: ${left.became || 'nothing'}; right: ${right.became || 'nothing'}`;
  return { mark: row.mark, left: { ...left, number: `${left.number}|${right.number}`, became } };
}

function inOne(row: SideRow, columns: SideColumns, width = Number.POSITIVE_INFINITY): string[] {
  const side = (line: Line | undefined, mark: string): string[] =>
    line === undefined
      ? []
      : piecesOf(line, columns, width - 4).map(({ painted }, at) => `  ${at === 0 ? mark : ' '} ${painted}`);
  const isBoth = row.left !== undefined && row.right !== undefined;
  return [...side(row.left, isBoth ? '<' : row.mark), ...side(row.right, isBoth ? '>' : row.mark)];
}

function inTwo(row: SideRow, columns: SideColumns, room: number): string[] {
  const pieces = (line: Line | undefined): Piece[] => (line === undefined ? [] : piecesOf(line, columns, room));
  const [left, right] = [pieces(row.left), pieces(row.right)];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const { text = '', painted = '' } = left[at] ?? {};
    const padded = `${painted}${' '.repeat(Math.max(0, room - text.length))}`;
    return `  ${padded} ${at === 0 ? row.mark : ' '} ${right[at]?.painted ?? ''}`.trimEnd();
  });
}

/** Process and event; the effect stands beside them, or below if there is no room. */
function piecesOf({ number, who, what, became, paint }: Line, columns: SideColumns, room: number): Piece[] {
  const indent = columns.number + columns.who + 4;
  const begin = `${number.padStart(columns.number)}  `;
  const gap = ' '.repeat(Math.max(0, columns.who - who.length) + 2);
  const painted = `${paint(begin, 'number')}${paint(who, { process: who })}${gap}`;
  const beside = became === '' ? '' : `${' '.repeat(Math.max(0, columns.what - what.length))}  ${became}`;
  if (indent + what.length + beside.length <= room)
    return [{ text: `${begin}${who}${gap}${what}${beside}`, painted: `${painted}${what}${paint(beside, 'change')}` }];
  const blank = ' '.repeat(indent);
  const [first = '', ...rest] = wrapList(what, room - indent);
  return [
    { text: `${begin}${who}${gap}${first}`, painted: `${painted}${first}` },
    ...rest.map((line) => ({ text: `${blank}${line}`, painted: `${blank}${line}` })),
    ...wrapList(became, room - indent - 2).map((line) => ({
      text: `${blank}  ${line}`,
      painted: `${blank}  ${paint(line, 'change')}`,
    })),
  ];
}
