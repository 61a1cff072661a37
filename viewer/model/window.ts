/** Rows drawn beyond the view, so that scrolling does not outrun drawing. */
const MARGIN = 14;
/** The window moves by this many rows at once, so that most scrolling draws no new rows. */
const STRIDE = 7;

export interface Window {
  /** First and last drawn row, both inclusive; empty if the last comes before the first. */
  readonly first: number;
  readonly last: number;
}

/** The rows to draw for the visible part; all arguments but the number of rows are pixels. */
export function windowOf(top: number, height: number, rowHeight: number, rows: number): Window {
  const first = Math.floor((top / rowHeight - MARGIN) / STRIDE) * STRIDE;
  const last = Math.ceil(((top + height) / rowHeight + MARGIN) / STRIDE) * STRIDE;
  return { first: Math.max(0, Math.min(first, rows - 1)), last: Math.min(last, rows - 1) };
}
