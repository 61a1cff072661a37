import type { EventLine } from '../trace/format.ts';
import { tell } from './story.ts';

/** How many events are shown whole; of longer executions the end, where the violation is. */
const EVENTS_MAX = 40;

/** The story as aligned lines: number, who, what, what changed. */
export function storyLines(events: readonly EventLine[]): string[] {
  const sentences = events.slice(-EVENTS_MAX).map(tell);
  const width = {
    event: String(events.length).length,
    who: longest(sentences.map(({ who }) => who)),
    what: longest(sentences.map(({ what }) => what)),
  };
  const lines = sentences.map(({ event, who, what, changes }) =>
    `  ${String(event).padStart(width.event)}  ${who.padEnd(width.who)}  ${what.padEnd(width.what)}  ${changes.join(', ')}`.trimEnd(),
  );
  const hidden = events.length - sentences.length;
  return hidden === 0 ? lines : [`  … ${hidden} earlier events`, ...lines];
}

const WIDTH_MAX = 56;

const longest = (texts: readonly string[]): number =>
  Math.min(WIDTH_MAX, Math.max(0, ...texts.map((text) => text.length)));
