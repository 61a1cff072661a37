import { BadAnswer, badAnswer, shownAnswer } from '../kernel/user-code/answer.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { Verdict } from '../trace/verdict.ts';
import { isListOfTexts, isObject } from './judgment.ts';

const INSTEAD =
  "Return { kind: 'holds' }, { kind: 'unknown', why } or { kind: 'violated', oracle, message, processes, fingerprint }.";

/** What an oracle returned, where that is a verdict. */
export function verdictOf(who: () => string, answer: unknown): Verdict {
  if (!isObject(answer)) throw badAnswer(who(), answer, INSTEAD);
  switch (answer['kind']) {
    case 'holds':
      return answer as unknown as Verdict;
    case 'unknown':
      return complete(who, answer, { why: isText });
    case 'violated':
      return complete(who, answer, {
        oracle: isText,
        message: isText,
        processes: isListOfTexts,
        fingerprint: isText,
        values: (values) => values === undefined || isObject(values),
        events: (events) => events === undefined || (Number.isInteger(events) && (events as number) >= 0),
      });
    default:
      throw badAnswer(who(), answer, INSTEAD);
  }
}

/** What `begin` returned, where that judges executions. */
export function judgeOf(who: string, answer: unknown): Oracle {
  if (isObject(answer) && typeof answer['judge'] === 'function') return answer as unknown as Oracle;
  throw badAnswer(who, answer, 'Return what judges this one execution: an oracle, with the function `judge`.');
}

type VerdictFields = Readonly<Record<string, (value: unknown) => boolean>>;

function complete(who: () => string, verdict: Readonly<Record<string, unknown>>, fields: VerdictFields): Verdict {
  for (const [name, isRight] of Object.entries(fields)) {
    if (isRight(verdict[name])) continue;
    const returned = `a verdict of the kind ${String(verdict['kind'])} whose ${name} is ${shownAnswer(verdict[name])}`;
    throw new BadAnswer(who(), returned, INSTEAD);
  }
  return verdict as unknown as Verdict;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
