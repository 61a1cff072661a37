import type { Header, Trace, VerdictLine } from '../trace/format.ts';
import { brief } from './brief.ts';
import { printable } from '../text/printable.ts';
import { storyLines } from './table.ts';

/** How a violation is told, and what its trace does not say. */
export interface Telling {
  /** How many columns there are; as many as it takes where nothing is said. */
  readonly width?: number;
  /** How long it took to minimize it. */
  readonly seconds?: number;
  /** How often it came when it was replayed. */
  readonly reproduction?: { readonly rate: number; readonly replays: number } | undefined;
  /** Why it was not minimized, where it should have been. */
  readonly whyNot?: string | undefined;
}

/** What was minimized is read from the beginning, unless that is still too much. Otherwise the end tells most. */
const WHOLE_MAX = 120;

/** What is violated, then what happened: the text that people see first. */
export function violationLines({ header, verdict, events }: Trace, telling: Telling = {}): string[] {
  if (verdict.verdict !== 'violated') return [];
  const isWhole = header.minimized !== undefined && events.length <= WHOLE_MAX;
  return [
    ...verdictLines({ header, verdict }, telling),
    '',
    ...storyLines(events, { width: telling.width, ...(isWhole ? { linesMax: WHOLE_MAX } : {}) }),
  ];
}

/** How an execution ended, and how long it is. */
export const verdictLines = (
  { header, verdict }: Pick<Trace, 'header' | 'verdict'>,
  telling: Telling = {},
): string[] => [
  ending(verdict),
  ...(verdict.verdict === 'violated' ? [...placeLines(verdict.at), ...valueLines(verdict.values)] : []),
  `          ${size(header, telling)}`,
];

export function ending(verdict: VerdictLine): string {
  switch (verdict.verdict) {
    case 'violated':
      return printable(`violated  ${verdict.oracle}: ${verdict.message}`);
    case 'unknown':
      return printable(`unknown   ${verdict.why}`);
    case 'holds':
      return 'holds     no violation';
  }
}

/** Where the code was that threw, innermost first. */
const placeLines = (places: readonly string[] = []): string[] =>
  places.map((place) => `          ${printable(`at ${place}`)}`);

/** What shows the violation, one value a line. */
const valueLines = (values: Readonly<Record<string, unknown>> = {}): string[] =>
  Object.entries(values).map(([name, value]) => `          ${printable(`${name}: ${brief(value)}`)}`);

/** How long it is, and what is known about how long it has to be. */
function size({ minimized, events }: Header, { seconds, reproduction, whyNot }: Telling): string {
  if (minimized === undefined)
    return whyNot === undefined
      ? counted(events, 'event')
      : `${counted(events, 'event')}, not minimized: ${printable(whyNot)}`;
  return [
    `${counted(minimized.events, 'event')} → ${events.toLocaleString('en')}`,
    counted(minimized.schedules, 'schedule'),
    ...(seconds === undefined ? [] : [`${seconds.toFixed(1)} s`]),
    minimized.certificate ?? 'not known to be minimal',
    ...(reproduction === undefined || reproduction.rate === 1 ? [] : [came(reproduction)]),
  ].join(', ');
}

const came = ({ rate, replays }: NonNullable<Telling['reproduction']>): string =>
  `came in ${Math.round(rate * replays)} of ${counted(replays, 'replay')}`;

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
