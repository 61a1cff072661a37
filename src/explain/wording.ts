import { CulpritError, nextAfter, problemOf } from '../error.ts';
import type { AnyPhrases } from '../kernel/phrases.ts';
import { applyChanges, isNothing, NOTHING } from '../trace/change.ts';
import type { EventLine, Trace } from '../trace/format.ts';
import { fromPortable } from '../trace/portable.ts';

/** A system that cannot say in its own words what happened. */
export class BadPhrase extends CulpritError {
  readonly code = 'BAD_PHRASE';

  constructor(
    problem: string,
    /** The execution without the words. */
    readonly trace: Trace,
    cause?: unknown,
  ) {
    super(problem, nextAfter(cause, 'Mend it: it returns a text, or undefined where our words will do.'), { cause });
  }
}

/**
 * The same execution in the system's own words. What a phrase is given is made from the trace and belongs to nobody else:
 * it cannot change an execution, and an old trace can be told in words that were found since.
 */
export function inWords(trace: Trace, phrases: AnyPhrases): Trace {
  if (Object.keys(phrases).length === 0) return trace;
  const states = new Map<string, unknown>();
  const events = trace.events.map((line): EventLine => {
    const state = applyChanges(states.get(line.process) ?? NOTHING, line.changes ?? []);
    states.set(line.process, state);
    const told = said(trace, line, eventPhrase(line, phrases));
    const is = said(trace, line, statePhrase(line, state, phrases));
    const { told: _told, is: _is, ...plain } = line;
    return { ...plain, ...(told === undefined ? {} : { told }), ...(is === undefined ? {} : { is }) };
  });
  return { ...trace, events };
}

/** A question to the system. */
interface Question {
  readonly name: keyof AnyPhrases;
  readonly ask: () => unknown;
}

function eventPhrase(line: EventLine, { message, timer }: AnyPhrases): Question | undefined {
  if (line.kind === 'fire' && timer !== undefined) return { name: 'timer', ask: () => timer(line.timer, line.process) };
  if (line.kind !== 'deliver' || message === undefined) return undefined;
  const between = { from: line.from, to: line.process };
  return { name: 'message', ask: () => message(fromPortable(line.message), between) };
}

function statePhrase(line: EventLine, after: unknown, { state }: AnyPhrases): Question | undefined {
  if (line.state === undefined || isNothing(after) || state === undefined) return undefined;
  return { name: 'state', ask: () => state(fromPortable(after), line.process) };
}

/** One line of text, whatever is in it; undefined where there is none. */
function said(trace: Trace, line: EventLine, question: Question | undefined): string | undefined {
  if (question === undefined) return undefined;
  const bad = (did: string, cause?: unknown): BadPhrase =>
    new BadPhrase(
      `phrases.${question.name}, asked about event ${line.event} (${line.process}, ${line.kind}), ${did}`,
      trace,
      cause,
    );
  let words: unknown;
  try {
    words = question.ask();
  } catch (error) {
    throw bad(`threw: ${problemOf(error)}`, error);
  }
  if (words === undefined) return undefined;
  if (typeof words !== 'string') throw bad(`returned ${shown(words)}, which is no text.`);
  return words.replaceAll(/\s+/g, ' ').trim() || undefined;
}

const shown = (value: unknown): string => (typeof value === 'object' && value !== null ? 'an object' : String(value));
