import { amount, countOrEndless } from '../kernel/options/fields.ts';
import { optionsOf } from '../kernel/options/options.ts';
import type { EventLine } from '../trace/format.ts';
import { wrapList } from '../text/wrap.ts';
import { effectText, sentenceOf } from './story.ts';
import { combinedFrom, type CombinedEvents } from './combined-events.ts';

/** Longer texts do not widen the column. */
const WIDTH_MAX = 56;

export interface StoryOptions {
  /** The maximum number of events; longer stories are cut at the front, because the violation is at the end. */
  readonly linesMax?: number;
  /** The number of columns: longer lines are wrapped. Unlimited by default. */
  readonly width?: number | undefined;
}

export const storyOptions = optionsOf<StoryOptions>('storyLines', { linesMax: countOrEndless(0), width: amount });

/** The story as aligned lines: number, process, event, changes. */
export function storyLines(events: readonly EventLine[], options: StoryOptions = {}): string[] {
  const { linesMax = 40, width = Number.POSITIVE_INFINITY } = storyOptions.checked(options);
  const all = folded(events);
  const shown = all.slice(Math.max(0, all.length - linesMax));
  const widest = (part: (row: Row) => string): number =>
    Math.min(WIDTH_MAX, Math.max(0, ...shown.map((row) => part(row).length)));
  const [numbers, who] = [widest(({ number }) => number), widest((row) => row.who)];
  const room = width - numbers - who - 6;
  const natural = widest((row) => row.what);
  const isScarce = shown.some((row) => sideBySide(row, natural).length > room);
  const what = isScarce ? Math.min(natural, Math.floor(room * WHAT_SHARE)) : natural;
  const lines = shown.flatMap((row) => {
    const [first = '', ...more] = wrappedRow(row, what, room);
    const head = `  ${row.number.padStart(numbers)}  ${row.who.padEnd(who)}  ${first}`.trimEnd();
    return [head, ...more.map((line) => `${' '.repeat(numbers + who + 6)}${line}`)];
  });
  const [first] = shown;
  return first === undefined || shown.length === all.length
    ? lines
    : [`  … ${first.from - 1} earlier events`, ...lines];
}

/** The share of the width for the event, if the width is scarce. */
const WHAT_SHARE = 0.6;

type EventAndChanges = Pick<Row, 'what' | 'changes'>;

const sideBySide = ({ what, changes }: EventAndChanges, column: number): string =>
  `${what.padEnd(column)}  ${changes}`.trimEnd();

/** Event and changes: side by side if they fit, otherwise one below the other. */
function wrappedRow({ what, changes }: EventAndChanges, column: number, room: number): string[] {
  const line = sideBySide({ what, changes }, column);
  if (line.length <= room) return [line];
  return [...wrapList(what, room), ...wrapList(changes, room - 2).map((more) => `  ${more}`)];
}

interface Row {
  /** The number of the first event in the row. */
  readonly from: number;
  readonly number: string;
  readonly who: string;
  readonly what: string;
  readonly changes: string;
}

/** Consecutive events with the same text become one row, and so do those that every story combines. */
function folded(events: readonly EventLine[]): Row[] {
  const rows: Row[] = [];
  let times = 1;
  for (let at = 0; at < events.length; at++) {
    const combined = combinedFrom(events, at);
    if (combined !== undefined) {
      rows.push(rowOf(combined));
      at += combined.run.length - 1;
      times = 1;
      continue;
    }
    const line = events[at] as EventLine;
    const { event, who, what } = sentenceOf(line);
    const row = { from: event, number: String(event), who, what, changes: effectText(line) };
    const before = rows.at(-1);
    const again =
      before !== undefined &&
      before.who === who &&
      before.changes === row.changes &&
      before.what === repeatedText(what, times);
    times = again ? times + 1 : 1;
    if (again)
      rows[rows.length - 1] = {
        ...row,
        from: before.from,
        number: `${before.from}–${event}`,
        what: repeatedText(what, times),
      };
    else rows.push(row);
  }
  return rows;
}

/** More names than this are counted, because names widen the column. */
const NAMES_MAX = 3;

function rowOf({ run, who, what }: CombinedEvents): Row {
  const [from, last] = [run[0], run.at(-1)].map((line) => line?.event) as [number, number];
  const named = who.slice(0, who.length > NAMES_MAX ? NAMES_MAX - 1 : NAMES_MAX);
  const others = who.length > named.length ? [`${who.length - named.length} more`] : [];
  return { from, number: `${from}–${last}`, who: [...named, ...others].join(', '), what, changes: '' };
}

const repeatedText = (what: string, times: number): string => (times === 1 ? what : `${what}, ${times} times`);
