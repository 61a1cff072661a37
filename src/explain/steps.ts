import type { EventLine } from '../trace/format.ts';
import { differences } from './differences.ts';
import { accountOf, likenesses, type Account, type Likeness, type Told } from './step-rules.ts';
import { isBorn, tell } from './story.ts';

/** Consecutive events that a reader takes for one step. */
export interface StoryStep extends Account {
  /** The numbers of its first and its last event. */
  readonly first: number;
  readonly last: number;
}

/**
 * Splits an execution into steps: consecutive starts, a message of the environment and its arrival, one message to
 * several processes with the same effect, repetitions. Every event is in exactly one step, and the order of events
 * stays.
 */
export function stepsOf(events: readonly EventLine[]): StoryStep[] {
  const told = events.map((line): Told => ({ line, sentence: tell(line), changes: differencesOf(line) }));
  const steps: StoryStep[] = [];
  for (let at = 0; at < told.length;) {
    const found = likenesses.map((likeness) => ({ likeness, run: runFrom(told, at, likeness) }));
    const { likeness, run } = found.reduce((best, one) => (one.run.length > best.run.length ? one : best));
    const [first, last] = [run[0], run.at(-1)] as [Told, Told];
    const account = run.length === 1 ? accountOf(first) : likeness.tell(run);
    steps.push({ first: first.line.event, last: last.line.event, ...account });
    at += run.length;
  }
  return steps;
}

/** The longest run of events from this index on that follows the rule. */
function runFrom(told: readonly Told[], from: number, { goesOn, size = 1, distinct }: Likeness): Told[] {
  const run = [told[from] as Told];
  const met = new Set([distinct?.(told[from] as Told)]);
  for (let at = from + 1; at < told.length; at++) {
    const next = told[at] as Told;
    const name = distinct?.(next);
    if ((name !== undefined && met.has(name)) || !goesOn(run, next)) break;
    met.add(name);
    run.push(next);
  }
  return run.slice(0, Math.max(1, run.length - (run.length % size)));
}

const differencesOf = (line: EventLine): string[] =>
  // If the system describes a new state in words, its fields are left out.
  line.stateLabel !== undefined && isBorn(line) ? [] : differences(line.changes ?? []);
