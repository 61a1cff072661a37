import { sentenceOf } from '../explain/story.ts';
import { ENVIRONMENT, isInternal, type External, type ExternalEvent, type Internal } from '../trace/event.ts';
import { contentOf } from '../trace/codec.ts';

/** A possible event, worded as it will be when it has happened. */
export interface StepDescription {
  readonly who: string;
  readonly what: string;
}

export function descriptionOf(event: Internal | External): StepDescription {
  const happened = isInternal(event) ? event : occurring(event);
  const { who, what } = sentenceOf({ event: 1, ...contentOf(happened) });
  return { who, what };
}

/** As in a line of the story. */
export const textOf = ({ who, what }: StepDescription): string => `${who} ${what}`;

/** The event that an external would become, without an identity. */
function occurring(external: External): ExternalEvent {
  const process = 'process' in external ? external.process : ENVIRONMENT;
  return { ...external, process, cause: -1, hi: 0, lo: 0 };
}
