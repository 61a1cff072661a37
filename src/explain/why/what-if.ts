import type { EventLine } from '../../trace/format.ts';
import type { InternalContent } from '../../trace/codec.ts';
import type { Counterfactual } from '../../trace/why.ts';
import { label, tell } from '../story.ts';

/** The facts for the sentence about a change. */
export interface Telling extends Omit<Counterfactual, 'what' | 'absent'> {
  /** For the change `added`: the event that happens. */
  readonly added?: Occurred | undefined;
  /** The other violation, or why the verdict is unknown, or why the change is impossible. */
  readonly because?: string | undefined;
}

/** A recorded event, or an event that never happened. */
export type Occurred = EventLine | InternalContent;

/** A change and its outcome as a sentence. */
export function whatIf(telling: Telling, events: readonly EventLine[], oracle: string): string {
  const { change, outcome, event, before, because } = telling;
  const line = (number = 0): EventLine => events[number - 1] as EventLine;
  if (change === 'without') {
    const without = `without ${numbered(line(event))}`;
    return outcome === 'impossible'
      ? `nothing can run ${without}: ${because}`
      : `${without}, ${cameOf(telling, oracle)}`;
  }
  if (change === 'added')
    return `had ${arrived(telling.added as Occurred)} before ${numbered(line(event))}, ${cameOf(telling, oracle)}`;
  const [one, other] = toldApart(line(event), line(before));
  if (outcome === 'impossible') return `${one} cannot come before ${other}: ${because}`;
  return `had ${one} come before ${other}, ${cameOf(telling, oracle)}`;
}

function cameOf({ outcome, isPutOff, because }: Telling, oracle: string): string {
  switch (outcome) {
    case 'holds':
      return isPutOff === true ? `${oracle} would have held until it happened` : `${oracle} would have held`;
    case 'violated':
      return `${oracle} would still have been violated`;
    case 'other':
      return `a different violation would have happened: ${because ?? ''}`;
    default:
      return `the verdict would be unknown: ${because ?? ''}`;
  }
}

/** An event that never happened, worded as if it had. */
const arrived = (line: Occurred): string =>
  line.kind === 'deliver'
    ? `${short(label(line.message), LABEL_MAX)} from ${line.from} reached ${line.process}`
    : `the pending event (${nameOf(line)}) come`;

/** Includes the content of messages only if the two events read the same without it. */
function toldApart(one: EventLine, other: EventLine): readonly [string, string] {
  const long = nameOf(one) === nameOf(other) ? LONG_MAX : NAME_MAX;
  return [numbered(one, long), numbered(other, long)];
}

/** Longer texts are cut. */
const NAME_MAX = 72;
const LONG_MAX = 120;
const LABEL_MAX = 40;

/** `event 9 (lock gets release from client-2)`. */
export const numbered = (line: EventLine, max = NAME_MAX): string => `event ${line.event} (${nameOf(line, max)})`;

/** Process and event, without effects; the content of a message only if there is room. */
export function nameOf(line: Occurred, max = NAME_MAX): string {
  const { who, what } = tell({ event: 0, ...line, log: [], dropped: [], history: [] });
  return short(`${who} ${what}`, max);
}

function short(name: string, max = NAME_MAX): string {
  if (name.length <= max) return name;
  const brief = max > NAME_MAX ? name : name.replace(/ \(.*\)/, '');
  return brief.length <= max ? brief : `${brief.slice(0, max - 1)}…`;
}
