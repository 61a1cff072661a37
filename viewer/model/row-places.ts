import type { Rows } from './rows.ts';

/** The place of every row, in pixels from the first: rows with more text are higher. */
export class RowPlaces {
  /** The top of every row, and the end of the last. */
  private readonly tops: Int32Array;

  constructor(
    private readonly rows: Rows,
    heightOf: (row: number) => number,
  ) {
    this.tops = new Int32Array(rows.length + 1);
    for (let row = 0; row < rows.length; row++) this.tops[row + 1] = this.top(row) + heightOf(row);
  }

  top(row: number): number {
    return this.tops[row] as number;
  }

  height(row: number): number {
    return this.top(row + 1) - this.top(row);
  }

  get end(): number {
    return this.top(this.rows.length);
  }

  /** The row at a distance from the top; the nearest one if there is none. */
  rowAt(y: number): number {
    let [low, high] = [0, Math.max(0, this.rows.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The place of a line: the middle of the first text line of its row, or between two rows if it is hidden. */
  placeOf(line: number): number {
    return this.top(this.rows.rowOf(line)) + (this.rows.isHidden(line) ? 0 : FIRST_LINE_MIDDLE);
  }
}

/** The height of a line of text, and of the space above and below the text of a row. */
export const LINE = 18;
const PADDING = 3;

/** The height of a row with so many lines of text. */
export const heightOfRow = (lines: number): number => LINE * lines + 2 * PADDING;

const FIRST_LINE_MIDDLE = PADDING + LINE / 2;
