import type { EventLine } from '../../trace/format.ts';
import type { Counterfactual, Why } from '../../trace/why.ts';
import { eventsOf, type Say } from '../label-lines.ts';
import { nameOf } from './what-if.ts';

/** More of what never happened is not shown: `counterfactuals` has all of them. */
const ADDED_MAX = 3;

/** What each change leads to: a table of those that differ, and a line for what is the same for many events. */
export function changeLines({ counterfactuals, race }: Why, events: readonly EventLine[], say: Say): string[] {
  const rows = events.flatMap((line) => rowOf(line, counterfactuals));
  const shown = new Set(rows.map(({ event }) => event));
  const rest = counterfactuals.filter(({ change, event }) => change === 'without' && !shown.has(event));
  const told = (label: string, outcome: string, what: string): string[] => {
    const some = rest.filter((one) => outcomeOf(one) === outcome).map(({ event }) => event);
    return some.length === 0
      ? []
      : say(label, `${eventsOf(some)}: without ${some.length === 1 ? 'it' : 'any of them'}, ${what}`);
  };
  return [
    ...aligned(rows),
    ...told('needed', 'holds', 'the violation does not happen'),
    ...told('delayed only', 'delayed only', 'the violation is delayed until the event happens after all'),
    ...told('no matter', 'violated', 'the violation still happens'),
    ...addedLines(
      counterfactuals.filter(({ change, what }) => change === 'added' && what !== race?.what),
      say,
    ),
  ];
}

interface ChangeRow {
  readonly event: number;
  readonly cells: readonly [number: string, name: string, without: string, earlier: string];
}

/** Of an event that makes a difference where it comes earlier, or of which no line can tell. */
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

const outcomeOf = (one: Counterfactual | undefined): string =>
  one?.isPutOff === true ? 'delayed only' : (one?.outcome ?? '');

function aligned(rows: readonly ChangeRow[]): string[] {
  if (rows.length === 0) return [];
  const table: readonly ChangeRow['cells'][] = [
    ['', '', 'without it', 'earlier than'],
    ...rows.map(({ cells }) => cells),
  ];
  const width = (column: 0 | 1 | 2): number => Math.max(...table.map((cells) => cells[column].length));
  return table.map(([number, name, without, earlier]) =>
    `  ${number.padStart(width(0))}  ${name.padEnd(width(1))}  ${without.padEnd(width(2))}  ${earlier}`.trimEnd(),
  );
}

/** What never happened, and would have made a difference; the smallest changes first. */
function addedLines(added: readonly Counterfactual[], say: Say): string[] {
  const size = ({ along = [], absent }: Counterfactual): number => along.length + absent.length;
  const nearest = added.toSorted((one, other) => size(one) - size(other)).slice(0, ADDED_MAX);
  const more = added.length - nearest.length;
  return [
    ...nearest.flatMap(({ what }) => say('or', what)),
    ...(more === 0 ? [] : say('', `… and ${more} more undelivered events that would have made a difference`)),
  ];
}
