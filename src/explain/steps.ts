import type { EventLine } from '../trace/format.ts';
import { differences } from './differences.ts';
import { accountOf, stepRules, type Account, type StepRule, type NarratedEvent } from './step-rules.ts';
import { hadNoState, sentenceOf, toldChanges } from './story.ts';
import { combinedFrom } from './combined-events.ts';

/** Consecutive events that a reader takes for one step. */
export interface StoryStep extends Account {
  /** The numbers of its first and its last event. */
  readonly first: number;
  /** The number of its last event. */
  readonly last: number;
}

/**
 * Splits an execution into steps: consecutive starts, a message of the environment and its arrival, one message to
 * several processes with the same effect, repetitions, routine messages. Every event is in exactly one step, and the order of events
 * stays.
 */
export function stepsOf(events: readonly EventLine[]): StoryStep[] {
  const narrated = events.map(narratedOf);
  const steps: StoryStep[] = [];
  for (let at = 0; at < narrated.length;) {
    const combined = combinedFrom(events, at);
    if (combined !== undefined) {
      const { run, who, what } = combined;
      steps.push({ first: run[0]?.event as number, last: run.at(-1)?.event as number, who, what, changes: [] });
      at += run.length;
      continue;
    }
    const found = stepRules.map((rule) => ({ rule, run: runFrom(narrated, at, rule) }));
    const { rule, run } = found.reduce((best, one) => (one.run.length > best.run.length ? one : best));
    const [first, last] = [run[0], run.at(-1)] as [NarratedEvent, NarratedEvent];
    const account = run.length === 1 ? accountOf(first) : rule.account(run);
    steps.push({ first: first.line.event, last: last.line.event, ...account });
    at += run.length;
  }
  return steps;
}

function narratedOf(line: EventLine): NarratedEvent {
  const changes = differencesOf(line);
  const { stateLabel, ...sentence } = sentenceOf(line);
  // Where the system's words tell no change, the label would tell the state once more.
  const isTold =
    stateLabel !== undefined && (changes.length > 0 || hadNoState(line) || line.changeLabels === undefined);
  return { line, sentence: { ...sentence, ...(isTold ? { stateLabel } : {}) }, changes };
}

/** The longest run of events from this index on that follows the rule. */
function runFrom(
  narrated: readonly NarratedEvent[],
  from: number,
  { isExtendedBy, balance = () => 0, distinct }: StepRule,
): NarratedEvent[] {
  const first = narrated[from] as NarratedEvent;
  const run = [first];
  const met = new Set([distinct?.(first)]);
  let [sum, whole] = [balance(first), 1];
  for (let at = from + 1; at < narrated.length; at++) {
    const next = narrated[at] as NarratedEvent;
    const name = distinct?.(next);
    if ((name !== undefined && met.has(name)) || !isExtendedBy(run, next)) break;
    met.add(name);
    run.push(next);
    sum += balance(next);
    if (sum === 0) whole = run.length;
  }
  return run.slice(0, whole);
}

const differencesOf = (line: EventLine): string[] => (line.unseen === true ? [UNSEEN] : seenDifferences(line));

const UNSEEN = 'state too large to record';

const seenDifferences = (line: EventLine): string[] =>
  // If the system describes a new state in words, its fields are left out.
  line.stateLabel !== undefined && hadNoState(line) ? [] : toldChanges(line, differences);
