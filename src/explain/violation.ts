import type { Header, Trace, VerdictLine } from '../trace/format.ts';
import { wordsIn } from '../trace/verdict.ts';
import { brief } from './brief.ts';
import { printable } from '../text/printable.ts';
import { wrapLabeled } from '../text/wrap.ts';
import { storyLines } from './table.ts';
import { withCommas } from '../text/with-commas.ts';

/** Facts about a violation that its trace does not have, and the width. */
export interface ViolationDetails {
  /** The number of columns. Unlimited by default. */
  readonly width?: number;
  /** The duration of the minimization. */
  readonly seconds?: number;
  /** How many replays showed the violation. */
  readonly reproduction?: { readonly rate: number; readonly replays: number } | undefined;
  /** Why minimization failed. */
  readonly whyNot?: string | undefined;
}

/** A minimized execution of up to this many events is shown completely. Of others only the end is shown. */
const WHOLE_MAX = 120;

/** The violation, then the execution: the first text that users see. */
export function violationLines({ header, verdict, events }: Trace, details: ViolationDetails = {}): string[] {
  if (verdict.verdict !== 'violated') return [];
  const isWhole = header.minimized !== undefined && events.length <= WHOLE_MAX;
  return [
    ...wrapLabeled(verdictLines({ header, verdict }, details), details.width),
    '',
    ...storyLines(events, { width: details.width, ...(isWhole ? { linesMax: WHOLE_MAX } : {}) }),
  ];
}

/** The verdict, and the number of events. */
export const verdictLines = (
  { header, verdict }: Pick<Trace, 'header' | 'verdict'>,
  details: ViolationDetails = {},
): string[] => [
  verdictLine(verdict),
  ...(verdict.verdict === 'violated' ? [...placeLines(verdict.at), ...valueLines(verdict.values)] : []),
  `          ${sizeText(header, details)}`,
];

export function verdictLine(verdict: VerdictLine): string {
  switch (verdict.verdict) {
    case 'violated':
      return printable(`violated  ${verdict.oracle}: ${verdict.message}`);
    case 'unknown':
      return printable(`unknown   ${verdict.why}`);
    case 'holds':
      return 'holds     no violation';
  }
}

/** The stack of the exception, innermost first. */
const placeLines = (places: readonly string[] = []): string[] =>
  places.map((place) => `          ${printable(`at ${place}`)}`);

/** The values that show the violation, one per line; each further text of a value on a line of its own. */
const valueLines = (values: Readonly<Record<string, unknown>> = {}): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    (wordsIn(value) ?? [brief(value)]).map(
      (text, at) => `          ${printable(`${at === 0 ? `${name}:` : ' '.repeat(name.length + 1)} ${text}`)}`,
    ),
  );

/** The number of events, and whether it is known to be minimal. */
function sizeText({ minimized, events }: Header, { seconds, reproduction, whyNot }: ViolationDetails): string {
  if (minimized === undefined)
    return whyNot === undefined
      ? counted(events, 'event')
      : `${counted(events, 'event')}, not minimized: ${printable(whyNot)}`;
  return [
    `${counted(minimized.events, 'event')} → ${withCommas(events)}`,
    counted(minimized.schedules, 'schedule'),
    ...(seconds === undefined ? [] : [`${seconds.toFixed(1)} s`]),
    minimized.certificate ?? 'not known to be minimal',
    ...(reproduction === undefined || reproduction.rate === 1 ? [] : [reproductionText(reproduction)]),
  ].join(', ');
}

const reproductionText = ({ rate, replays }: NonNullable<ViolationDetails['reproduction']>): string =>
  `violated in ${Math.round(rate * replays)} of ${counted(replays, 'replay')}`;

const counted = (count: number, noun: string): string => `${withCommas(count)} ${noun}${count === 1 ? '' : 's'}`;
