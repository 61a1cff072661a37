import { CulpritError } from '../../error.ts';
import { isConsequence, isInternal, type Event } from '../../trace/event.ts';
import { processesOf, typeOf } from '../../trace/event-subject.ts';

/** A word of `without` that fits no event. */
class NothingLeftOut extends CulpritError {
  readonly code = 'NOTHING_LEFT_OUT';

  constructor(word: string, kinds: readonly string[]) {
    super(
      `no input and no message of a controller fits ${JSON.stringify(word)}.`,
      `Give the number of an event, a range such as 14-17, the name of a process, or one of ${kinds.join(', ')}.`,
    );
  }
}

/** Indices of events that do not happen: inputs, with what they bring about, and messages of controllers. */
export function leavesOut(words: readonly string[], events: readonly Event[], sent: ReadonlySet<number>): Set<number> {
  const isInput = (event: Event): boolean =>
    !isInternal(event) && event.kind !== 'start' && event.kind !== 'wait' && !isConsequence(event, events);
  const offered = events.flatMap((event, at) => (sent.has(at) || isInput(event) ? [at] : []));
  const dropped = new Set<number>();
  for (const word of words) {
    const fitting = offered.filter((at) => fits(word, at + 1, events[at] as Event));
    if (fitting.length === 0)
      throw new NothingLeftOut(word, [...new Set(offered.map((at) => kindOf(events[at] as Event)))].sort());
    for (const at of fitting) dropped.add(at);
  }
  for (const [at, event] of events.entries())
    if (isConsequence(event, events) && dropped.has(event.cause)) dropped.add(at);
  return dropped;
}

function fits(word: string, number: number, event: Event): boolean {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? [];
  if (from !== undefined) return number >= Number(from) && number <= Number(to);
  return kindOf(event) === word || namesIn(event).includes(word);
}

/** The type of a message, the name of an action, or else the kind. */
const kindOf = (event: Event): string => ('message' in event || event.kind === 'act' ? typeOf(event) : event.kind);

const namesIn = (event: Event): readonly string[] =>
  event.kind === 'deliver' ? [event.from, event.process] : isInternal(event) ? [] : processesOf(event);
