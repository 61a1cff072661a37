import { amount } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Trace } from '../../trace/format.ts';
import type { Counterfactual, Why } from '../../trace/why.ts';
import { changeLines } from './change-lines.ts';
import { decidedLines, oddsLines } from './odds-lines.ts';
import { shortenedTo } from '../../text/width.ts';
import { eventsOf, labelLinesIn, type LabelLines } from '../label-lines.ts';

/** How the reason of a violation is printed. */
export interface WhyOptions {
  /** The number of columns. Unlimited by default. */
  readonly width?: number | undefined;
}

export const whyOptions = optionsOf<WhyOptions>('whyLines', { width: amount });

/**
 * The explanation of a violation as lines: the answer, the result of each change, the nearest passing execution, the
 * odds.
 */
export function whyLines(why: Why, { events }: Trace, options: WhyOptions = {}): string[] {
  const { width = Number.POSITIVE_INFINITY } = whyOptions.checked(options);
  const labeled = labelLinesIn(width);
  const { answer, race, counterfactuals, odds, limits } = why;
  const parts = [
    labeled('why', answer === race?.what ? `${answer}; ${restOf(race)}` : answer),
    counterfactuals.length === 0 ? [] : changeLines(why, events, labeled, width),
    nearestLines(why, labeled),
    odds.length === 0 ? [] : oddsLines(why, events, labeled, width),
    odds.length === 0 ? [] : decidedLines(why, events, labeled),
    limits.flatMap((limit) => labeled('limits', limit)),
  ];
  const lines = parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ['', ...part]));
  return lines.map((line) => shortenedTo(line, width));
}

/** The effect on the other events. */
function restOf({ absent, along = [] }: Counterfactual): string {
  const comes = along.length === 0 ? '' : `${eventsOf(along)} would have moved with it; `;
  return absent.length === 0
    ? `${comes}all other events would still have happened`
    : `${comes}${eventsOf(absent)} would not have happened`;
}

function nearestLines({ nearest, nearestBy, race }: Why, labeled: LabelLines): string[] {
  if (nearest === undefined || nearestBy === undefined) return [];
  const length = `passes, ${nearest.events.length} events`;
  const isRace = race !== undefined && nearestBy.what === race.what;
  return labeled('nearest', `${length}: ${isRace ? 'the same change' : `${change(nearestBy)}; ${restOf(nearestBy)}`}`);
}

function change({ change: kind, event, before, what }: Counterfactual): string {
  if (kind === 'without') return `without event ${event}`;
  if (kind === 'earlier') return `event ${event} before event ${before ?? 0}`;
  return what.slice('had '.length, what.lastIndexOf(', '));
}
