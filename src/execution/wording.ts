import { asSystem } from '../kernel/user-code/async-code.ts';
import { CulpritError, nextAfter, problemOf } from '../error.ts';
import { shownAnswer } from '../kernel/user-code/answer.ts';
import { measuredWithin, TimedOut } from '../kernel/user-code/time-limit.ts';
import { HANDLER_MS, longestMs } from '../kernel/drive.ts';
import { withoutUndefined } from '../kernel/options/fields.ts';
import { endedAfter } from '../kernel/loop.ts';
import type { AnyPhrases } from '../system/phrases.ts';
import { applyChanges, isNothing, NOTHING, type Change } from '../trace/change.ts';
import { eventOf } from '../trace/codec.ts';
import { externalOf, isInternal } from '../trace/event.ts';
import type { EventLine, Trace } from '../trace/format.ts';
import { fromPortable } from '../trace/json-encoding.ts';

/** A phrase of the system failed. */
export class BadPhrase extends CulpritError {
  readonly code = 'BAD_PHRASE';

  constructor(
    problem: string,
    /** The trace without phrases. */
    readonly trace: Trace,
    cause?: unknown,
  ) {
    super(problem, nextAfter(cause, 'Fix it: return a text, or undefined to keep the default wording.'), { cause });
  }
}

/**
 * The same trace in the system's own words. The arguments of phrases are made from the trace, so a phrase cannot change
 * an execution, and an old trace can be worded by new phrases.
 */
export const inWords = (trace: Trace, phrases: AnyPhrases, handlerMs = HANDLER_MS): Trace =>
  inWordsFrom(0, trace, phrases, handlerMs);

/** The same for the events from this index on only: the others stay as they are. */
export function inWordsFrom(first: number, trace: Trace, phrases: AnyPhrases, handlerMs: number): Trace {
  if (Object.keys(phrases).length === 0) return trace;
  const areStatesAsked = [phrases.message, phrases.state, phrases.changes].some((phrase) => phrase !== undefined);
  const states = areStatesAsked ? new States(trace.events.length) : undefined;
  const events = trace.events.slice(0, first);
  for (const line of events) states?.after(line);
  for (let from = first; from < trace.events.length; from += AT_ONCE) {
    const asked = trace.events.slice(from, from + AT_ONCE).map((line): Asked => {
      const before = states?.of(line.process);
      const state = states?.after(line);
      return {
        line,
        label: eventPhrase(line, phrases, before, state),
        messageName: messageQuestion(messageIn(line), phrases),
        routine: routineQuestion(line, phrases),
        droppedNames: line.dropped?.map(({ message }) => messageQuestion(message, phrases)),
        stateLabel: statePhrase(line, state, phrases),
        changeLabels: changesPhrase(line, before, state, phrases),
      };
    });
    events.push(...answered(trace, asked, handlerMs));
  }
  return { ...trace, events };
}

/** The questions about one event. */
interface Asked {
  readonly line: EventLine;
  readonly label: Question | undefined;
  readonly messageName: Question | undefined;
  readonly routine: Question | undefined;
  readonly droppedNames: readonly (Question | undefined)[] | undefined;
  readonly stateLabel: Question | undefined;
  readonly changeLabels: Question | undefined;
}

/** Starting the clock costs as much as many answers do. */
const AT_ONCE = 100;

/** Asks all questions within the time limit of a handler. */
function answered(trace: Trace, questions: readonly Asked[], handlerMs: number): EventLine[] {
  let under: readonly [EventLine, Question | undefined] | undefined;
  const ask = <T>(line: EventLine, question: Question | undefined, answer: Answer<T>): T | undefined => {
    under = [line, question];
    return question === undefined ? undefined : answer(trace, line, question);
  };
  try {
    return saidWithin(handlerMs, () =>
      questions.map(({ line, ...asked }): EventLine => {
        const names = asked.droppedNames?.map((question) => ask(line, question, said) ?? null) ?? [];
        return worded(line, {
          label: ask(line, asked.label, said),
          stateLabel: ask(line, asked.stateLabel, said),
          changeLabels: ask(line, asked.changeLabels, saidList),
          messageName: ask(line, asked.messageName, said),
          droppedNames: names.some((name) => name !== null) ? names : undefined,
          routine: ask(line, asked.routine, saidYes),
        });
      }),
    );
  } catch (error) {
    const [line, question] = under ?? [];
    if (!(error instanceof TimedOut) || line === undefined || question === undefined) throw error;
    const did = error.isProven ? `did not return within ${handlerMs} ms.` : `was ended ${endedAfter(error)}.`;
    throw badPhrase(trace, line, question, did, error);
  }
}

type Words = Pick<EventLine, 'label' | 'stateLabel' | 'changeLabels' | 'messageName' | 'droppedNames' | 'routine'>;

/** The line with these words, and no older ones. */
function worded(line: EventLine, words: { readonly [K in keyof Words]: Words[K] | undefined }): EventLine {
  const { label: _label, stateLabel: _state, changeLabels: _changes, ...rest } = line;
  const { messageName: _message, droppedNames: _dropped, routine: _routine, ...plain } = rest;
  return { ...plain, ...(withoutUndefined(words) as Words) };
}

const saidWithin = <T>(handlerMs: number, ask: () => T): T =>
  asSystem(() => measuredWithin(longestMs(handlerMs), handlerMs, ask));

/** A question to the system. */
interface Question {
  readonly name: keyof AnyPhrases;
  readonly ask: () => unknown;
}

function eventPhrase(line: EventLine, phrases: AnyPhrases, before: unknown, after: unknown): Question | undefined {
  const { message, timer, external } = phrases;
  if (line.kind === 'fire') return timer && { name: 'timer', ask: () => timer(line.timer, line.process) };
  if (line.kind !== 'deliver') {
    const event = external && eventOf(line);
    if (event === undefined || isInternal(event)) return undefined;
    return { name: 'external', ask: () => external?.(externalOf(event)) };
  }
  // States are copied only for a phrase that looks at them.
  const between = {
    from: line.from,
    to: line.process,
    get before() {
      return before === undefined ? undefined : fromPortable(before);
    },
    get after() {
      return after === undefined ? undefined : fromPortable(after);
    },
  };
  return message && { name: 'message', ask: () => message(fromPortable(line.message), between) };
}

const routineQuestion = (line: EventLine, { isRoutine }: AnyPhrases): Question | undefined =>
  line.kind === 'deliver' && isRoutine !== undefined
    ? { name: 'isRoutine', ask: () => isRoutine(fromPortable(line.message)) }
    : undefined;

/** The portable message that an event is about; undefined if it has none. */
function messageIn(line: EventLine): unknown {
  if (line.kind === 'hold' || line.kind === 'delay') return line.held?.message.message;
  return 'message' in line ? line.message : undefined;
}

function messageQuestion(message: unknown, { messageName }: AnyPhrases): Question | undefined {
  if (messageName === undefined || message === undefined) return undefined;
  return { name: 'messageName', ask: () => messageName(fromPortable(message)) };
}

function statePhrase(line: EventLine, after: unknown, { state }: AnyPhrases): Question | undefined {
  if (line.state === undefined || after === undefined || state === undefined) return undefined;
  return { name: 'state', ask: () => state(fromPortable(after), line.process) };
}

/** A new state has no changes, and one that is too large is not looked at. */
function changesPhrase(
  line: EventLine,
  before: unknown,
  after: unknown,
  { changes }: AnyPhrases,
): Question | undefined {
  if (line.changes === undefined || before === undefined || after === undefined || changes === undefined)
    return undefined;
  return { name: 'changes', ask: () => changes(fromPortable(before), fromPortable(after), line.process) };
}

/** The answer to a question, or an error about it. */
type Answer<T> = (trace: Trace, line: EventLine, question: Question) => T | undefined;

/** The answer as one line of text; undefined if there is none. */
const said: Answer<string> = (trace, line, question) => {
  const words = answerOf(trace, line, question);
  if (words === undefined) return undefined;
  if (typeof words !== 'string')
    throw badPhrase(trace, line, question, `returned ${shownAnswer(words)}, which is not a text.`);
  return oneLine(words) || undefined;
};

/** The answer as a list of such texts. */
const saidList: Answer<string[]> = (trace, line, question) => {
  const words = answerOf(trace, line, question);
  if (words === undefined) return undefined;
  if (!Array.isArray(words) || words.some((text) => typeof text !== 'string'))
    throw badPhrase(trace, line, question, `returned ${shownAnswer(words)}, which is not a list of texts.`);
  return (words as string[]).map(oneLine).filter((text) => text !== '');
};

/** True, or nothing. */
const saidYes: Answer<true> = (trace, line, question) => {
  const answer = answerOf(trace, line, question);
  if (typeof answer !== 'boolean')
    throw badPhrase(trace, line, question, `returned ${shownAnswer(answer)}, which is neither true nor false.`);
  return answer || undefined;
};

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function answerOf(trace: Trace, line: EventLine, question: Question): unknown {
  try {
    return question.ask();
  } catch (error) {
    throw badPhrase(trace, line, question, `threw: ${problemOf(error)}`, error);
  }
}

const badPhrase = (
  trace: Trace,
  { event, process, kind }: EventLine,
  { name }: Question,
  did: string,
  cause?: unknown,
): BadPhrase =>
  new BadPhrase(`phrases.${name}, asked about event ${event} (${process}, ${kind}), ${did}`, trace, cause);

/** The number of values that all states of a trace may have together: making so many takes seconds. */
const VALUES = 20_000_000;

/** A state of this size is small enough in a trace of any length. */
const ALWAYS = 200;

/**
 * The states of an execution, event by event, for the state phrase. Each is a separate copy, so all of them take the
 * number of events times their size. A state that has more values than its share is left out until the process has a
 * smaller one, so the time is proportional to the size of the trace.
 */
class States {
  private readonly states = new Map<string, unknown>();
  private readonly valuesMax: number;

  constructor(events: number) {
    this.valuesMax = Math.max(ALWAYS, Math.floor(VALUES / events));
  }

  /** The state of a process now; undefined if it has none, or one that is too large. */
  of(process: string): unknown {
    const state = this.states.get(process);
    return isNothing(state) ? undefined : state;
  }

  /** The state of a process after an event; undefined if it has none, or one that is too large. */
  after({ process, changes = [] }: EventLine): unknown {
    const before = this.states.has(process) ? this.states.get(process) : NOTHING;
    const fresh = changes.findLastIndex(([pointer]) => pointer === '');
    const state =
      before === undefined && fresh < 0 ? undefined : this.fitting(before, changes.slice(Math.max(0, fresh)));
    this.states.set(process, state);
    return isNothing(state) ? undefined : state;
  }

  private fitting(before: unknown, changes: readonly Change[]): unknown {
    const state = applyChanges(before, changes);
    return hasMoreThan(this.valuesMax, state) ? undefined : state;
  }
}

/** Whether data has more values than this. Stops counting there. */
function hasMoreThan(most: number, data: unknown): boolean {
  let left = most;
  const count = (value: unknown): boolean => {
    left -= 1;
    if (left < 0) return true;
    return typeof value === 'object' && value !== null && Object.values(value).some(count);
  };
  return count(data);
}
