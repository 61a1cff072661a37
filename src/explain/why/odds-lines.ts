import type { EventLine } from '../../trace/format.ts';
import type { Odds, Why } from '../../trace/why.ts';
import { pairs } from './point-of-no-return.ts';
import type { LabelLines } from '../label-lines.ts';
import { segmentsOf, type OddsSegment } from './odds-segments.ts';
import { nameOf, numbered } from './what-if.ts';

/** The length of a bar for 100 %, and in a narrow terminal. */
const BAR = 20;
const SHORT_BAR = 8;
const NARROW = 60;

/** The odds as a chart, with a row for each position at which they change. */
export function oddsLines(
  { odds, oracle, sampling }: Why,
  events: readonly EventLine[],
  labeled: LabelLines,
  width: number,
): string[] {
  const { continuations, how } = sampling;
  const length = width < NARROW ? SHORT_BAR : BAR;
  const rows = segmentsOf(odds).map((stretch) => rowOf(stretch, events, length));
  const [places, percents] = [(row: OddsRow) => row.place, (row: OddsRow) => row.percent].map((part) =>
    Math.max(...rows.map((row) => part(row).length)),
  );
  return [
    ...labeled(
      'odds',
      `how many of ${continuations} random continuations violate ${oracle}, after each event (${how})`,
    ),
    ...rows.map(({ place, bar, percent, name }) =>
      `  ${place.padStart(places ?? 0)}  ${bar.padEnd(length)}  ${percent.padStart(percents ?? 0)}  ${name}`.trimEnd(),
    ),
    ...doubtLines(odds, labeled),
  ];
}

interface OddsRow {
  readonly place: string;
  readonly bar: string;
  readonly percent: string;
  readonly name: string;
}

function rowOf({ first, last, share }: OddsSegment, events: readonly EventLine[], length: number): OddsRow {
  return {
    place: first === last ? `${first}` : `${first}–${last}`,
    bar: '#'.repeat(Math.round(share * length)),
    percent: percent(share),
    name: first === 0 ? '' : nameOf(events[first - 1] as EventLine),
  };
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;

/** A continuation without this violation may still end with another one, or with an unknown verdict. */
function doubtLines(odds: readonly Odds[], labeled: LabelLines): string[] {
  const sum = (part: (one: Odds) => number): number => odds.reduce((total, one) => total + part(one), 0);
  const [other, unknown] = [sum((one) => one.other), sum((one) => one.unknown)];
  return [
    ...(other === 0 ? [] : labeled('', `${other} of all continuations ended with a different violation`)),
    ...(unknown === 0 ? [] : labeled('', `${unknown} of all continuations have an unknown verdict`)),
  ];
}

/** The event that made the violation likely, and the event after which it was certain. */
export function decidedLines(
  { odds, turn, noReturn, oracle }: Why,
  events: readonly EventLine[],
  labeled: LabelLines,
): string[] {
  const [from, to] = pairs(segmentsOf(odds.slice(0, -1))).find(([, { first }]) => first === turn) ?? [];
  const rose =
    from === undefined || to === undefined
      ? []
      : labeled(
          'likely',
          `with ${numbered(events[to.first - 1] as EventLine)}: from ${percent(from.share)} to ${percent(to.share)}`,
        );
  return [
    ...rose,
    ...(noReturn === undefined ? [] : labeled('point of no return', noReturnText(noReturn, oracle, events))),
  ];
}

function noReturnText(noReturn: number, oracle: string, events: readonly EventLine[]): string {
  if (noReturn === 0) return `from the start, nearly every continuation violates ${oracle}`;
  const event = numbered(events[noReturn - 1] as EventLine);
  return noReturn === events.length
    ? `only the last, ${event}, made it certain`
    : `after ${event}, nearly every continuation violates ${oracle}`;
}
