import type { EventLine } from '../trace/format.ts';
import { tell, type Sentence } from './story.ts';

/** How many lines are shown where nobody asks for more. */
const LINES_MAX = 40;

/** Wider columns are not waited for. */
const WIDTH_MAX = 56;

/**
 * The story as aligned lines: number, who, what, what changed. Of one that is longer than `linesMax` the end is shown,
 * where the violation is; `Infinity` shows all of it.
 */
export function storyLines(events: readonly EventLine[], linesMax = LINES_MAX): string[] {
  const all = folded(events.map(tell));
  const shown = all.slice(Math.max(0, all.length - linesMax));
  const width = (part: (row: Row) => string): number =>
    Math.min(
      WIDTH_MAX,
      shown.reduce((widest, row) => Math.max(widest, part(row).length), 0),
    );
  const [numbers, who, what] = [width(({ number }) => number), width((row) => row.who), width((row) => row.what)];
  const lines = shown.map((row) =>
    `  ${row.number.padStart(numbers)}  ${row.who.padEnd(who)}  ${row.what.padEnd(what)}  ${row.changes}`.trimEnd(),
  );
  const [first] = shown;
  return first === undefined || shown.length === all.length
    ? lines
    : [`  … ${first.from - 1} earlier events`, ...lines];
}

interface Row {
  /** The number of the first event it stands for. */
  readonly from: number;
  readonly number: string;
  readonly who: string;
  readonly what: string;
  readonly changes: string;
}

/** Events that say the same, one after the other, become one row. */
function folded(sentences: readonly Sentence[]): Row[] {
  const rows: Row[] = [];
  let times = 1;
  for (const { event, who, what, changes } of sentences) {
    const row = { from: event, number: String(event), who, what, changes: changes.join(', ') };
    const before = rows.at(-1);
    const again =
      before !== undefined && before.who === who && before.changes === row.changes && before.what === said(what, times);
    times = again ? times + 1 : 1;
    if (again)
      rows[rows.length - 1] = { ...row, from: before.from, number: `${before.from}–${event}`, what: said(what, times) };
    else rows.push(row);
  }
  return rows;
}

const said = (what: string, times: number): string => (times === 1 ? what : `${what}, ${times} times`);
