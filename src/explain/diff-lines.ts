import { amount, anything, callback, countOrEndless } from '../kernel/options/fields.ts';
import { optionsOf } from '../kernel/options/options.ts';
import { align, type AlignedRow, type Alignment } from '../trace/alignment.ts';
import { judged } from '../trace/difference.ts';
import type { EventLine, Trace } from '../trace/format.ts';
import { wrapLines } from '../text/wrap.ts';
import { differences } from './differences.ts';
import { plain, type Paint } from './story-report.ts';
import { sideBySide, type Cell, type Line } from './side-by-side.ts';
import { hadNoState, sentenceOf, toldChanges } from './story.ts';
import { verdictLine } from './verdict-lines.ts';
import { withCommas } from '../text/with-commas.ts';

/** How two executions are compared as text. */
export interface DiffOptions {
  /** The number of columns. If undefined, one execution stands below the other. */
  readonly width?: number | undefined;
  /** The maximum number of rows from the divergence on. All of them by default. */
  readonly rowsMax?: number | undefined;
  /** Plain text by default. */
  readonly paint?: Paint;
  /** The alignment of the two executions, if the caller has it already. */
  readonly alignment?: Alignment;
}

export const diffOptions = optionsOf<DiffOptions>('diffLines', {
  width: amount,
  rowsMax: countOrEndless(0),
  paint: callback,
  alignment: anything,
});

/** Shows where two executions diverge, and what each does from there on. */
export function diffLines(left: Trace, right: Trace, given: DiffOptions = {}): string[] {
  const options = diffOptions.checked(given);
  const { paint = plain, alignment = align(left, right) } = options;
  const verdicts = [`left      ${verdictLine(left.verdict)}`, `right     ${verdictLine(right.verdict)}`];
  const shown = wrapLines(verdicts, options.width).map((line) =>
    line.replace(/(?<=^\w+ +)violated/, (word) => paint(word, 'bad')),
  );
  const sides = { left, right };
  const { divergence } = alignment;
  const ended =
    JSON.stringify(judged(left.verdict)) === JSON.stringify(judged(right.verdict)) ? '' : ', but a different verdict';
  if (divergence === undefined) return [`same      all ${counted(left.events.length)}${ended}`, '', ...shown];
  return [
    ...wrapLines([...commonLines(sides, divergence), ...divergenceLines(sides, alignment, divergence)], options.width),
    '',
    ...rowLines(sides, alignment.rows.slice(divergence), options),
    '',
    ...shown,
  ];
}

interface Sides {
  readonly left: Trace;
  readonly right: Trace;
}

const eventOn = ({ events }: Trace, number: number): EventLine => events[number - 1] as EventLine;

/** `5 lock gets acquire from client-1`. */
function named(line: EventLine): string {
  const { event, who, what } = sentenceOf(line);
  return `${event} ${who} ${what}`;
}

/** Up to the divergence all events are the same, and have the same numbers. */
const commonLines = ({ left }: Sides, divergence: number): string[] =>
  divergence === 0
    ? ['same      nothing']
    : [`same      ${counted(divergence)}, to ${named(eventOn(left, divergence))}`];

const counted = (events: number): string => `${withCommas(events)} event${events === 1 ? '' : 's'}`;

function divergenceLines(sides: Sides, { rows }: Alignment, divergence: number): string[] {
  const rest = rows.slice(divergence);
  const [first] = rest as [AlignedRow];
  const next = (side: 'left' | 'right'): string => {
    const number = rest.find((row) => row[side] !== undefined)?.[side];
    return number === undefined ? 'nothing more' : named(eventOn(sides[side], number));
  };
  const how =
    first.how === 'differs'
      ? `diverge   at ${next('left')}: it has a different effect on the right`
      : `diverge   on the left, ${next('left')}; on the right, ${next('right')}`;
  return [how, ...orderLines(sides, rows)];
}

/** Says so if nothing but the order differs. */
function orderLines({ left, right }: Sides, rows: readonly AlignedRow[]): string[] {
  const moved = rows.filter(({ how }) => how === 'left' || how === 'right');
  if (rows.some(({ how }) => how === 'differs') || moved.some(({ elsewhere }) => elsewhere === undefined)) return [];
  const isSame = left.verdict.name === right.verdict.name;
  return [
    `order     the same events happen on both sides, ${moved.length / 2} of them in a different position${isSame ? ': only independent events are reordered' : ''}`,
  ];
}

function rowLines(sides: Sides, rows: readonly AlignedRow[], { width, rowsMax, paint = plain }: DiffOptions): string[] {
  const all = folded(rows);
  const shown = all.slice(0, rowsMax);
  const left = all.length - shown.length;
  const more = left === 0 ? [] : [paint(`  … and ${withCommas(left)} more rows`, 'number')];
  const cells = shown.map((run) => (run.how === 'same' ? sameCell(sides, run, paint) : cellOf(sides, run.last, paint)));
  return [...sideBySide(cells, width), ...more];
}

/** Consecutive rows that are shown as one. */
interface DiffRun {
  readonly how: AlignedRow['how'];
  readonly count: number;
  readonly last: AlignedRow;
}

/** Folds rows that are the same on both sides; other rows stay as they are. */
function folded(rows: readonly AlignedRow[]): DiffRun[] {
  const runs: DiffRun[] = [];
  for (const row of rows) {
    const before = runs.at(-1);
    if (row.how === 'same' && before?.how === 'same')
      runs[runs.length - 1] = { ...before, count: before.count + 1, last: row };
    else runs.push({ how: row.how, count: 1, last: row });
  }
  return runs;
}

function sameCell({ left }: Sides, { count, last }: DiffRun, paint: Paint): Cell {
  const text = `= ${counted(count)} the same, to ${named(eventOn(left, last.left as number))}`;
  return { across: { text, painted: paint(text, 'number') } };
}

function cellOf({ left, right }: Sides, row: AlignedRow, paint: Paint): Cell {
  const other = row.how === 'left' ? 'right' : 'left';
  const place = row.elsewhere === undefined ? [] : [`also on the ${other}, as ${row.elsewhere}`];
  return {
    mark: row.how === 'differs' ? '≠' : row.how === 'left' ? '<' : '>',
    ...(row.left === undefined ? {} : { left: lineOf(eventOn(left, row.left), place, paint) }),
    ...(row.right === undefined ? {} : { right: lineOf(eventOn(right, row.right), place, paint) }),
  };
}

function lineOf(line: EventLine, place: readonly string[], paint: Paint): Line {
  const { event, who, what, stateLabel } = sentenceOf(line);
  const changes = stateLabel !== undefined && hadNoState(line) ? [] : toldChanges(line, differences);
  const words = stateLabel === undefined || line.changes === undefined ? [] : [stateLabel];
  const became = [...words, ...(changes.length > 0 ? [changes.join(', ')] : []), ...place].join('; ');
  return { number: String(event), who, what, became, paint };
}
