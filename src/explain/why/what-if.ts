import type { EventLine } from '../../trace/format.ts';
import { type InternalContent, contentOf } from '../../trace/codec.ts';
import type { Counterfactual, Odds } from '../../trace/why.ts';
import { label, onLane, sentenceOf } from '../story.ts';
import type { WhyAttempt } from './attempts.ts';
import { hex } from '../../trace/digest.ts';
import type { Event, Internal } from '../../trace/event.ts';

/** The facts for the sentence about a change. */
interface ChangeFacts extends Omit<Counterfactual, 'what' | 'absent'> {
  /** For the change `added`: the event that happens. */
  readonly added?: Occurred | undefined;
  /** The other violation, or why the verdict is unknown, or why the change is impossible. */
  readonly because?: string | undefined;
}

/** A recorded event, or an event that never happened. */
export type Occurred = EventLine | InternalContent;

/** A change and its outcome as a sentence. */
function whatIf(facts: ChangeFacts, events: readonly EventLine[], oracle: string): string {
  const { change, outcome, event, before, because } = facts;
  const line = (number = 0): EventLine => events[number - 1] as EventLine;
  if (change === 'without') {
    const without = `without ${numbered(line(event))}`;
    return outcome === 'impossible'
      ? `nothing can run ${without}: ${because}`
      : `${without}, ${outcomeText(facts, oracle)}`;
  }
  if (change === 'added')
    return `had ${addedText(facts.added as Occurred)} before ${numbered(line(event))}, ${outcomeText(facts, oracle)}`;
  const [one, other] = distinguished(line(event), line(before));
  if (outcome === 'impossible') return `${one} cannot come before ${other}: ${because}`;
  return `had ${one} come before ${other}, ${outcomeText(facts, oracle)}`;
}

function outcomeText({ outcome, isDelayed, because }: ChangeFacts, oracle: string): string {
  switch (outcome) {
    case 'holds':
      return isDelayed === true ? `${oracle} would have held until it happened` : `${oracle} would have held`;
    case 'violated':
      return `${oracle} would still have been violated`;
    case 'other':
      return `a different violation would have happened: ${because ?? ''}`;
    default:
      return `the verdict would be unknown: ${because ?? ''}`;
  }
}

/** An event that never happened, worded as if it had. */
const addedText = (line: Occurred): string =>
  line.kind === 'deliver'
    ? `${short(label(line.message), LABEL_MAX)} from ${line.from}${onLane(line.lane)} reached ${line.process}`
    : `the pending event (${nameOf(line)}) come`;

/** Includes the content of messages only if the two events read the same without it. */
function distinguished(one: EventLine, other: EventLine): readonly [string, string] {
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
  const { who, what } = sentenceOf({ event: 0, ...line, log: [], dropped: [], history: [] });
  return short(`${who} ${what}`, max);
}

function short(name: string, max = NAME_MAX): string {
  if (name.length <= max) return name;
  const brief = max > NAME_MAX ? name : name.replace(/ \(.*\)/, '');
  return brief.length <= max ? brief : `${brief.slice(0, max - 1)}…`;
}

/** Describes an attempt to a reader. Numbers of events count from 1. */
export function describeChange(
  attempt: WhyAttempt,
  events: readonly Event[],
  lines: readonly EventLine[],
  oracle: string,
): Counterfactual {
  const { change, event, before, outcome, isDelayed, tried } = attempt;
  const along = outcome === 'impossible' ? [] : numbers(attempt.along.filter((at) => at < lines.length));
  const added = change === 'added' ? (events[event] as Internal) : undefined;
  const fact = {
    change,
    event: (added === undefined ? event : (before as number)) + 1,
    ...(added !== undefined || before === undefined ? {} : { before: before + 1 }),
    ...(added === undefined ? {} : { id: hex(added) }),
    ...(along.length === 0 ? {} : { along }),
    outcome,
    ...(isDelayed ? { isDelayed: true as const } : {}),
  };
  const because = becauseOf(attempt, lines);
  const happens: Occurred | undefined = added && contentOf(added);
  const what = whatIf({ ...fact, added: happens, because }, lines, oracle);
  const missed = outcome === 'impossible' ? [] : (tried?.missed ?? []);
  return { ...fact, absent: numbers(missed).sort((one, other) => one - other), what };
}

const numbers = (indices: readonly number[]): number[] => indices.map((at) => at + 1);

function becauseOf({ change, event, before, why, tried }: WhyAttempt, lines: readonly EventLine[]): string | undefined {
  const verdict = tried?.verdict;
  if (verdict?.kind === 'violated') return `${verdict.oracle}: ${verdict.message}`;
  if (verdict?.kind === 'unknown') return verdict.why;
  if (why === 'cause') return 'it depends on it';
  if (why === 'order') return 'it was sent later over the same link';
  const overtaken = before === undefined ? undefined : lines[before];
  const isBegin = overtaken !== undefined && ['start', 'restart', 'spawn'].includes(overtaken.kind);
  if (isBegin && overtaken.process === lines[event]?.process) return `${overtaken.process} is not up before that`;
  return change === 'without' ? 'an action is not possible then' : 'it is not possible there';
}

/** The facts that the answer is made from. */
export interface AnswerFacts {
  readonly oracle: string;
  readonly race: Counterfactual | undefined;
  readonly counterfactuals: readonly Counterfactual[];
  /** The odds from the start, if nearly every order fails. */
  readonly start: Odds | undefined;
}

/** The answer in a sentence: the race; or that nearly every order fails; or the events without which nothing fails. */
export function answerOf({ oracle, race, counterfactuals, start }: AnswerFacts): string {
  if (start !== undefined)
    return `${oracle} is violated in nearly any order: in ${start.violated} of ${start.sampled} executions from the start`;
  if (race !== undefined) return race.what;
  const needed = counterfactuals.filter(
    ({ change, outcome, isDelayed }) => change === 'without' && outcome === 'holds' && isDelayed !== true,
  );
  const swaps = 'no single change of order makes a difference';
  if (needed.length === 0) return `${swaps}, nor is any single event needed`;
  const events = needed.map(({ event }) => event).join(', ');
  return `${swaps}, but ${needed.length === 1 ? `event ${events} is` : `each of the events ${events} is`} needed: without it, ${oracle} would have held`;
}
