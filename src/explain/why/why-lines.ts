import { amount } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { Trace } from '../../trace/format.ts';
import type { Counterfactual, Why } from '../../trace/why.ts';
import { changeLines } from './change-lines.ts';
import { decidedLines, oddsLines } from './odds-lines.ts';
import { eventsOf, sayIn, type Say } from '../label-lines.ts';

export interface WhyOptions {
  /** How many columns there are; as many as it takes where nothing is said. */
  readonly width?: number | undefined;
}

export const whyOptions = optionsOf<WhyOptions>('whyLines', { width: amount });

/** Why an execution is violated, for a terminal: the answer, what each change leads to, the nearest that passes, the odds. */
export function whyLines(why: Why, { events }: Trace, options: WhyOptions = {}): string[] {
  const { width = Number.POSITIVE_INFINITY } = whyOptions.checked(options);
  const say = sayIn(width);
  const { answer, race, counterfactuals, odds, limits } = why;
  const parts = [
    say('why', answer === race?.what ? `${answer}; ${restOf(race)}` : answer),
    counterfactuals.length === 0 ? [] : changeLines(why, events, say),
    nearestLines(why, say),
    odds.length === 0 ? [] : oddsLines(why, events, say),
    odds.length === 0 ? [] : decidedLines(why, events, say),
    limits.flatMap((limit) => say('limits', limit)),
  ];
  const lines = parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ['', ...part]));
  return lines.map((line) => (line.length <= width ? line : `${line.slice(0, width - 1)}…`));
}

/** What becomes of the other events. */
function restOf({ absent, along = [] }: Counterfactual): string {
  const comes = along.length === 0 ? '' : `${eventsOf(along)} would have moved with it; `;
  return absent.length === 0
    ? `${comes}all other events would still have happened`
    : `${comes}${eventsOf(absent)} would not have happened`;
}

function nearestLines({ nearest, nearestBy, race }: Why, say: Say): string[] {
  if (nearest === undefined || nearestBy === undefined) return [];
  const length = `passes, ${nearest.events.length} events`;
  const isRace = race !== undefined && nearestBy.what === race.what;
  return say('nearest', `${length}: ${isRace ? 'the same change' : `${change(nearestBy)}; ${restOf(nearestBy)}`}`);
}

function change({ change: kind, event, before, what }: Counterfactual): string {
  if (kind === 'without') return `without event ${event}`;
  if (kind === 'earlier') return `event ${event} before event ${before ?? 0}`;
  return what.slice('had '.length, what.lastIndexOf(', '));
}
