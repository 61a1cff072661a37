import type { EventLine } from '../trace/format.ts';
import type { Odds, Why } from '../trace/why.ts';
import { share } from './no-return.ts';
import type { Say } from './say.ts';
import { nameOf, numbered } from './what-if.ts';

/** The length of a bar that says all. */
const BAR = 20;

/** Odds that differ by less are told in one row. */
const SAME = 0.1;

/** The odds as a chart, a row for each place where they are not what they were. */
export function oddsLines({ odds, oracle, sampling }: Why, events: readonly EventLine[], say: Say): string[] {
  const { continuations, how } = sampling;
  const rows = grouped(odds).map((group) => rowOf(group, events));
  const [places, percents] = [(row: Row) => row.place, (row: Row) => row.percent].map((part) =>
    Math.max(...rows.map((row) => part(row).length)),
  );
  return [
    ...say('odds', `how many of ${continuations} random continuations violate ${oracle}, after each event (${how})`),
    ...rows.map(({ place, bar, percent, name }) =>
      `  ${place.padStart(places ?? 0)}  ${bar.padEnd(BAR)}  ${percent.padStart(percents ?? 0)}  ${name}`.trimEnd(),
    ),
    ...doubtLines(odds, say),
  ];
}

interface Row {
  readonly place: string;
  readonly bar: string;
  readonly percent: string;
  readonly name: string;
}

function grouped(odds: readonly Odds[]): readonly (readonly Odds[])[] {
  const groups: Odds[][] = [];
  for (const one of odds) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    if (last === undefined || first === undefined || Math.abs(share(one) - share(first)) >= SAME) groups.push([one]);
    else last.push(one);
  }
  return groups;
}

function rowOf(group: readonly Odds[], events: readonly EventLine[]): Row {
  const shares = group.map(share);
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  const [first, last] = [group[0]?.after ?? 0, group.at(-1)?.after ?? 0];
  return {
    place: first === last ? `${first}` : `${first}–${last}`,
    bar: '#'.repeat(Math.round(most * BAR)),
    percent: least === most ? percent(most) : `${Math.round(least * 100)}–${percent(most)}`,
    name: first === 0 ? '' : nameOf(events[first - 1] as EventLine),
  };
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;

/** What did not end with the violation need not have held. */
function doubtLines(odds: readonly Odds[], say: Say): string[] {
  const sum = (part: (one: Odds) => number): number => odds.reduce((total, one) => total + part(one), 0);
  const [other, unknown] = [sum((one) => one.other), sum((one) => one.unknown)];
  return [
    ...(other === 0 ? [] : say('', `${other} of all continuations ended with another violation`)),
    ...(unknown === 0 ? [] : say('', `of ${unknown} of all continuations nobody knows`)),
  ];
}

/** Where it became likely, and where it was too late. */
export function decidedLines({ odds, turn, noReturn, oracle }: Why, events: readonly EventLine[], say: Say): string[] {
  const at = odds.findIndex(({ after }) => after === turn);
  const [from, to] = [odds[at - 1], odds[at]];
  const rose =
    from === undefined || to === undefined || turn === undefined
      ? []
      : say(
          'likely',
          `with ${numbered(events[turn - 1] as EventLine)}: from ${percent(share(from))} to ${percent(share(to))}`,
        );
  return [...rose, ...(noReturn === undefined ? [] : say('no return', lateness(noReturn, oracle, events)))];
}

function lateness(noReturn: number, oracle: string, events: readonly EventLine[]): string {
  if (noReturn === 0) return `from the start, nearly every continuation violates ${oracle}`;
  const event = numbered(events[noReturn - 1] as EventLine);
  return noReturn === events.length
    ? `only the last, ${event}, made it certain`
    : `after ${event}, nearly every continuation violates ${oracle}`;
}
