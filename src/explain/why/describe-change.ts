import type { WhyAttempt } from './attempts.ts';
import { whatIf, type Occurred } from './what-if.ts';
import { hex } from '../../trace/digest.ts';
import type { Event, Internal } from '../../trace/event.ts';
import type { EventLine } from '../../trace/format.ts';
import { contentOf } from '../../trace/codec.ts';
import type { Counterfactual } from '../../trace/why.ts';

/** Describes an attempt to a reader. Numbers of events count from 1. */
export function told(
  attempt: WhyAttempt,
  events: readonly Event[],
  lines: readonly EventLine[],
  oracle: string,
): Counterfactual {
  const { change, event, before, outcome, isPutOff, tried } = attempt;
  const along = outcome === 'impossible' ? [] : numbers(attempt.along.filter((at) => at < lines.length));
  const added = change === 'added' ? (events[event] as Internal) : undefined;
  const fact = {
    change,
    event: (added === undefined ? event : (before as number)) + 1,
    ...(added !== undefined || before === undefined ? {} : { before: before + 1 }),
    ...(added === undefined ? {} : { id: hex(added) }),
    ...(along.length === 0 ? {} : { along }),
    outcome,
    ...(isPutOff ? { isPutOff: true as const } : {}),
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
