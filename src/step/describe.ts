import { sentenceOf } from '../explain/story.ts';
import { ENVIRONMENT, isInternal, type External, type ExternalEvent, type Internal } from '../trace/event.ts';
import type { Origin } from '../execution/record.ts';
import { contentOf } from '../trace/codec.ts';
import type { EventLine } from '../trace/format.ts';
import { lastInWords } from './worded.ts';

/** A possible event, worded as it will be when it has happened. */
export interface StepDescription {
  readonly who: string;
  readonly what: string;
}

export function descriptionOf(event: Internal | External, origin: Origin): StepDescription {
  const happened = isInternal(event) ? event : occurring(event);
  const line: EventLine = { event: 1, ...contentOf(happened) };
  const { who, what } = sentenceOf(lastInWords([line], 1, origin)[0] ?? line);
  return { who, what };
}

/** As in a line of the story. */
export const textOf = ({ who, what }: StepDescription): string => `${who} ${what}`;

/** The event that an external would become, without an identity. */
function occurring(external: External): ExternalEvent {
  const process = 'process' in external ? external.process : ENVIRONMENT;
  return { ...external, process, cause: -1, hi: 0, lo: 0 };
}
