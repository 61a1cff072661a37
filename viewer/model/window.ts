/** Rows drawn beyond the view, so that scrolling does not outrun drawing. */
const MARGIN = 14;
/** The window moves by this many rows at once, so that most scrolling draws no new rows. */
const STRIDE = 7;

export interface Window {
  /** First and last drawn row, both inclusive; empty if the last comes before the first. */
  readonly first: number;
  readonly last: number;
}

/** The rows to draw for the visible part, from its first row to its last. */
export function windowOf(from: number, to: number, rows: number): Window {
  const first = Math.floor((from - MARGIN) / STRIDE) * STRIDE;
  const last = Math.ceil((to + MARGIN) / STRIDE) * STRIDE;
  return { first: Math.max(0, Math.min(first, rows - 1)), last: Math.min(last, rows - 1) };
}
