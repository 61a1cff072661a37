import { CulpritError } from '../../error.ts';
import type { External } from '../../trace/event.ts';
import { isPromise } from '../handling.ts';

/**
 * A function of the system returned something that it may not return. Guessing what was meant would make a verdict of a
 * forgotten `return`, so nothing is guessed.
 */
export class BadAnswer extends CulpritError {
  readonly code = 'BAD_ANSWER';

  constructor(
    /** The function, and the subject of the question. */
    readonly who: string,
    /** What the function returned, as text for people. */
    readonly returned: string,
    next: string,
  ) {
    super(`${who} returned ${returned}.`, next);
  }
}

/** The error about an answer; the sentence `instead` names a valid return value. */
export function badAnswer(who: string, found: unknown, instead: string): BadAnswer {
  const sync = isPromised(found) ? 'It is called synchronously: use neither `async` nor `await`. ' : '';
  return new BadAnswer(who, shownAnswer(found), sync + instead);
}

/** A wrong answer in a few words. A promise gets a handler: without one, a rejection would end the process. */
export const shownAnswer = (found: unknown): string => readable(() => fewWords(found), 'an object that cannot be read');

/** What is read from an answer; the other where reading it throws, as a Proxy may. */
function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

export const isList = (found: unknown): found is unknown[] => readable(() => Array.isArray(found), false);

const isPromised = (found: unknown): boolean => readable(() => isPromise(found), false);

function fewWords(found: unknown): string {
  if (isPromise(found)) {
    found.then(undefined, () => undefined);
    return 'a promise';
  }
  if (found === '') return 'an empty text';
  if (typeof found === 'string') return JSON.stringify(found);
  if (typeof found === 'function') return 'a function';
  if (typeof found !== 'object' || found === null) return String(found);
  if (Array.isArray(found)) return 'a list';
  const fields = Object.keys(found);
  return fields.length === 0 ? 'an object without fields' : `an object with the fields ${fields.join(', ')}`;
}

/** The answer to a question that is answered with yes or no. */
export function truthOf(who: string, answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  throw badAnswer(who, answer, 'Return true or false.');
}

/** An answer that is a text. */
export function textOf(who: string, answer: unknown): string {
  if (typeof answer === 'string') return answer;
  throw badAnswer(who, answer, 'Return a text.');
}

/** An answer that may be any data; `undefined` only if it has a meaning. */
export function dataOf(who: string, answer: unknown, instead: string): unknown {
  if (typeof answer !== 'function' && typeof answer !== 'symbol' && !isPromised(answer)) return answer;
  throw badAnswer(who, answer, instead);
}

const EXTERNALS = 'Return externals: use send(…), crash(…), cut(…) and the like.';

/** An answer that is something the environment can do. */
export function externalFrom(who: string, answer: unknown): External {
  if (isExternal(answer)) return answer;
  throw badAnswer(who, answer, EXTERNALS);
}

/** An answer that is a list of such. */
export function externalsFrom(who: string, answer: unknown): readonly External[] {
  if (!isList(answer)) throw badAnswer(who, answer, `Return a list. ${EXTERNALS}`);
  const wrong = answer.findIndex((external) => !isExternal(external));
  if (wrong < 0) return answer as External[];
  throw new BadAnswer(who, `a list in which number ${wrong + 1} is ${shownAnswer(answer[wrong])}`, EXTERNALS);
}

/** Whether it has the shape of an external. Whether its names mean something is known when it happens. */
export const isExternal = (value: unknown): value is External => readable(() => isShapedLikeExternal(value), false);

function isShapedLikeExternal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  switch (value.kind) {
    case 'start':
    case 'stop':
    case 'crash':
    case 'restart':
    case 'pause':
    case 'resume':
      return typeof fields['process'] === 'string';
    case 'send':
      return typeof fields['to'] === 'string' && 'message' in fields;
    case 'cut':
    case 'heal':
      return Array.isArray(fields['links']) && fields['links'].every(isLink);
    case 'lose':
    case 'duplicate':
      return typeof fields['target'] === 'string';
    case 'hold':
      return typeof fields['target'] === 'string' && typeof fields['until'] === 'string';
    case 'delay':
      return typeof fields['target'] === 'string' && typeof fields['ms'] === 'number';
    case 'act':
      return typeof fields['action'] === 'string';
    default:
      return false;
  }
}

const isLink = (link: unknown): boolean =>
  Array.isArray(link) &&
  (link.length === 2 || (link.length === 3 && link[2] !== '')) &&
  link.every((name) => typeof name === 'string');
