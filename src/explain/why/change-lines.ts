import type { EventLine } from '../../trace/format.ts';
import type { Counterfactual, Why } from '../../trace/why.ts';
import { paddedEnd, shortenedTo, widthOf } from '../../text/width.ts';
import { wrapLine } from '../../text/wrap.ts';
import type { LabelLines } from '../label-lines.ts';
import { changeGroups, outcomeOf } from './change-groups.ts';
import { nameOf } from './what-if.ts';

/** At most this many added events are shown; `counterfactuals` has all of them. */
const ADDED_MAX = 3;

/**
 * The result of each change: a table of the events with different results, then a line for each result that many events
 * share.
 */
export function changeLines(
  { counterfactuals, race }: Why,
  events: readonly EventLine[],
  labeled: LabelLines,
  width: number,
): string[] {
  const replayed = counterfactuals.filter(({ replays }) => replays !== undefined);
  if (replayed.length > 0) return replayed.flatMap(({ what }) => labeled('replayed', what));
  const rows = events.flatMap((line) => rowOf(line, counterfactuals));
  const shown = new Set(rows.map(({ event }) => event));
  const rest = counterfactuals.filter(({ event }) => !shown.has(event));
  return [
    ...aligned(rows, width),
    ...changeGroups(rest).flatMap(({ label, what }) => labeled(label, what)),
    ...addedLines(
      counterfactuals.filter(({ change, what }) => change === 'added' && what !== race?.what),
      labeled,
    ),
  ];
}

interface ChangeRow {
  readonly event: number;
  readonly cells: readonly [number: string, name: string, without: string, earlier: string];
}

/** A row for an event whose earlier arrival makes a difference, or whose result no shared line covers. */
function rowOf(line: EventLine, all: readonly Counterfactual[]): ChangeRow[] {
  const { event } = line;
  const own = all.filter((one) => one.event === event && one.change !== 'added');
  const without = own.find(({ change }) => change === 'without');
  const earlier = own.filter(({ change, outcome }) => change === 'earlier' && outcome !== 'impossible');
  const isPlain = without === undefined || without.outcome === 'holds' || without.outcome === 'violated';
  if (isPlain && earlier.every(({ outcome }) => outcome === 'violated')) return [];
  const overtaken = earlier.map(({ before, outcome }) => `${before ?? 0} ${outcome}`).join(', ');
  return [{ event, cells: [`${event}`, nameOf(line, NAME_MAX), outcomeOf(without), overtaken] }];
}

const NAME_MAX = 44;
const NAME_MIN = 12;

/** As a table; in a narrow terminal, the last cell is below the others. */
function aligned(rows: readonly ChangeRow[], columns: number): string[] {
  if (rows.length === 0) return [];
  const table: readonly ChangeRow['cells'][] = [
    ['', '', 'without it', 'earlier than'],
    ...rows.map(({ cells }) => cells),
  ];
  const width = (column: 0 | 1 | 2): number => Math.max(...table.map((cells) => widthOf(cells[column])));
  const indent = ' '.repeat(width(0) + 4);
  const before = (name: string): string => paddedEnd(shortenedTo(name, nameWidth), nameWidth);
  const nameWidth = Math.min(width(1), Math.max(NAME_MIN, columns - indent.length - width(2) - 2));
  const lines = table.map(([number, name, without, earlier]) => ({
    line: `  ${number.padStart(width(0))}  ${before(name)}  ${without.padEnd(width(2))}`,
    earlier,
  }));
  if (lines.every(({ line, earlier }) => widthOf(line) + 2 + earlier.length <= columns))
    return lines.map(({ line, earlier }) => `${line}  ${earlier}`.trimEnd());
  return lines.flatMap(({ line, earlier }, at) => [
    line.trimEnd(),
    ...(at === 0 || earlier === '' ? [] : wrapLine(`${indent}earlier than ${earlier}`, columns)),
  ]);
}

/** Events that never happened and would have made a difference; the smallest changes first. */
function addedLines(added: readonly Counterfactual[], labeled: LabelLines): string[] {
  const size = ({ along = [], absent }: Counterfactual): number => along.length + absent.length;
  const nearest = added.toSorted((one, other) => size(one) - size(other)).slice(0, ADDED_MAX);
  const more = added.length - nearest.length;
  return [
    ...nearest.flatMap(({ what }) => labeled('or', what)),
    ...(more === 0 ? [] : labeled('', `… and ${more} more undelivered events that would have made a difference`)),
  ];
}
