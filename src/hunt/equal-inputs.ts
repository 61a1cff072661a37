import { eventOf } from '../trace/codec.ts';
import { externalOf, isConsequence, isInternal } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';
import { portableText } from '../trace/json-encoding.ts';

/**
 * The inputs of an execution as a text, without starts and waits: two minimized executions with equal inputs are probably one bug that shows in two
 * ways. Undefined if there are none: then everything would be equal.
 */
export function inputsText({ events, header }: Trace): string | undefined {
  const recorded = events.map(eventOf);
  const inputs = recorded.flatMap((event) =>
    isInternal(event) || event.kind === 'start' || event.kind === 'wait' || isConsequence(event, recorded)
      ? []
      : [portableText(externalOf(event), 'an input')],
  );
  return inputs.length === 0 ? undefined : JSON.stringify([header.module, header.parameters, inputs]);
}
