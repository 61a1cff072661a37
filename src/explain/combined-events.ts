import { typeOf } from '../trace/event-subject.ts';
import type { EventLine } from '../trace/format.ts';
import { printable } from '../text/printable.ts';
import { effectTexts, sentenceOf } from './story.ts';

/** Consecutive events that are one line in every story. */
export interface CombinedEvents {
  readonly run: readonly EventLine[];
  /** Whom the sentence is about. */
  readonly who: readonly string[];
  readonly what: string;
}

/** The events from this index on that are one line; undefined if the first of them has a line of its own. */
export function combinedFrom(events: readonly EventLine[], from: number): CombinedEvents | undefined {
  const first = events[from] as EventLine;
  const isMore = isUneventful(first) ? isUneventful : (line: EventLine) => isSentBy(first, line);
  let to = from + 1;
  while (to < events.length && isMore(events[to] as EventLine)) to++;
  const run = events.slice(from, to);
  if (run.length === 1) return undefined;
  return {
    run,
    ...(isUneventful(first) ? exchangeOf(run) : { who: [sentenceOf(first).who], what: sentenceOf(first).what }),
  };
}

type Delivery = EventLine & { readonly kind: 'deliver' };

/** A message that the system calls routine, such as part of a handshake, without anything else to tell. */
const isUneventful = (line: EventLine): line is Delivery =>
  line.kind === 'deliver' &&
  line.routine === true &&
  effectTexts(line).length === 0 &&
  [line.dropped, line.history, line.log, line.observed, line.unexpected].every((one) => one === undefined);

/** A message of an action that the system describes: its arrival shows it. */
const isSentBy = (action: EventLine, line: EventLine): boolean =>
  action.kind === 'act' &&
  action.label !== undefined &&
  line.kind === 'send' &&
  line.cause === action.event &&
  line.dropped === undefined;

/** `c1, s1, s2` and `exchange hello, features_request, features_reply`. */
function exchangeOf(run: readonly EventLine[]): Pick<CombinedEvents, 'who' | 'what'> {
  const deliveries = run.filter(isUneventful);
  return {
    who: [...new Set(deliveries.flatMap(({ from, process }) => [from, process]))].toSorted(byName).map(printable),
    what: printable(`exchange ${[...new Set(deliveries.map(typeOf))].join(', ')}`),
  };
}

const byName = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });
