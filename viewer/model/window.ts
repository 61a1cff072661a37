/** Rows drawn beyond what is in view, so that scrolling does not outrun drawing. */
const MARGIN = 14;
/** The window moves by so many rows at once: most scrolling then draws nothing. */
const STRIDE = 7;

export interface Window {
  /** First and last row that are drawn, both included; none where the last comes before the first. */
  readonly first: number;
  readonly last: number;
}

/** The rows to draw for what is in view, all in pixels but the number of rows. */
export function windowOf(top: number, height: number, rowHeight: number, rows: number): Window {
  const first = Math.floor((top / rowHeight - MARGIN) / STRIDE) * STRIDE;
  const last = Math.ceil(((top + height) / rowHeight + MARGIN) / STRIDE) * STRIDE;
  return { first: Math.max(0, Math.min(first, rows - 1)), last: Math.min(last, rows - 1) };
}
