import type { Header, Trace, VerdictLine } from '../trace/format.ts';
import { wordsIn } from '../trace/verdict.ts';
import { brief } from './brief.ts';
import { printable } from '../text/printable.ts';
import { withCommas } from '../text/with-commas.ts';

/** Facts about a violation that its trace does not have. */
export interface ViolationDetails {
  /** The duration of the minimization. */
  readonly seconds?: number;
  /** How many replays showed the violation. */
  readonly reproduction?: { readonly rate: number; readonly replays: number } | undefined;
  /** Why minimization failed. */
  readonly whyNot?: string | undefined;
  /** Why it is violated, in one sentence: see `explainWhy`. */
  readonly why?: string | undefined;
}

/** The verdict, the number of events, and why it is violated if that is known. */
export const verdictLines = (
  { header, verdict }: Pick<Trace, 'header' | 'verdict'>,
  details: ViolationDetails = {},
): string[] => [
  verdictLine(verdict),
  ...(verdict.verdict === 'violated' ? [...placeLines(verdict.at), ...valueLines(verdict.values)] : []),
  `          ${sizeText(header, details)}`,
  ...(details.why === undefined ? [] : [printable(`why       ${details.why}`)]),
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
