import { asSystem } from '../kernel/user-code/async-code.ts';
import { CulpritError, nextAfter, problemOf } from '../error.ts';
import { shownAnswer } from '../kernel/user-code/answer.ts';
import { measuredWithin, TimedOut } from '../kernel/user-code/time-limit.ts';
import { HANDLER_MS, longestMs } from '../kernel/drive.ts';
import { endedAfter } from '../kernel/loop.ts';
import type { AnyPhrases } from '../system/phrases.ts';
import type { EventLine, Trace } from '../trace/format.ts';
import { fromPortable } from '../trace/json-encoding.ts';
import { StatesForWords } from './states-for-words.ts';

/** A system that cannot say in its own words what happened. */
export class BadPhrase extends CulpritError {
  readonly code = 'BAD_PHRASE';

  constructor(
    problem: string,
    /** The execution without the words. */
    readonly trace: Trace,
    cause?: unknown,
  ) {
    super(problem, nextAfter(cause, 'Fix it: return a text, or undefined to keep the default wording.'), { cause });
  }
}

/**
 * The same execution in the system's own words. What a phrase is given is made from the trace and belongs to nobody else:
 * it cannot change an execution, and an old trace can be told in words that were found since.
 */
export function inWords(trace: Trace, phrases: AnyPhrases, handlerMs = HANDLER_MS): Trace {
  if (Object.keys(phrases).length === 0) return trace;
  const states = phrases.state === undefined ? undefined : new StatesForWords(trace.events.length);
  const events: EventLine[] = [];
  for (let from = 0; from < trace.events.length; from += AT_ONCE) {
    const asked = trace.events.slice(from, from + AT_ONCE).map((line): Asked => {
      const state = states?.after(line);
      return { line, label: eventPhrase(line, phrases), stateLabel: statePhrase(line, state, phrases) };
    });
    events.push(...answered(trace, asked, handlerMs));
  }
  return { ...trace, events };
}

/** What is asked about an event. */
interface Asked {
  readonly line: EventLine;
  readonly label: Question | undefined;
  readonly stateLabel: Question | undefined;
}

/** Starting the clock costs as much as many answers. */
const AT_ONCE = 100;

/** All of them within the time that a handler has. */
function answered(trace: Trace, questions: readonly Asked[], handlerMs: number): EventLine[] {
  let under: readonly [EventLine, Question | undefined] | undefined;
  const ask = (line: EventLine, question: Question | undefined): string | undefined => {
    under = [line, question];
    return said(trace, line, question);
  };
  try {
    return saidWithin(handlerMs, () =>
      questions.map(({ line, ...asked }): EventLine => {
        const [label, stateLabel] = [ask(line, asked.label), ask(line, asked.stateLabel)];
        const { label: _label, stateLabel: _stateLabel, ...plain } = line;
        return {
          ...plain,
          ...(label === undefined ? {} : { label }),
          ...(stateLabel === undefined ? {} : { stateLabel }),
        };
      }),
    );
  } catch (error) {
    const [line, question] = under ?? [];
    if (!(error instanceof TimedOut) || line === undefined || question === undefined) throw error;
    const did = error.isProven ? `did not return within ${handlerMs} ms.` : `was ended ${endedAfter(error)}.`;
    throw badPhrase(trace, line, question, did, error);
  }
}

const saidWithin = <T>(handlerMs: number, ask: () => T): T =>
  asSystem(() => measuredWithin(longestMs(handlerMs), handlerMs, ask));

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
  if (line.state === undefined || after === undefined || state === undefined) return undefined;
  return { name: 'state', ask: () => state(fromPortable(after), line.process) };
}

/** One line of text, whatever is in it; undefined where there is none. */
function said(trace: Trace, line: EventLine, question: Question | undefined): string | undefined {
  if (question === undefined) return undefined;
  const bad = (did: string, cause?: unknown): BadPhrase => badPhrase(trace, line, question, did, cause);
  let words: unknown;
  try {
    words = question.ask();
  } catch (error) {
    throw bad(`threw: ${problemOf(error)}`, error);
  }
  if (words === undefined) return undefined;
  if (typeof words !== 'string') throw bad(`returned ${shownAnswer(words)}, which is not a text.`);
  return words.replaceAll(/\s+/g, ' ').trim() || undefined;
}

const badPhrase = (
  trace: Trace,
  { event, process, kind }: EventLine,
  { name }: Question,
  did: string,
  cause?: unknown,
): BadPhrase =>
  new BadPhrase(`phrases.${name}, asked about event ${event} (${process}, ${kind}), ${did}`, trace, cause);
