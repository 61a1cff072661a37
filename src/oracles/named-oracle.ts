import { CulpritError, isOf } from '../error.ts';
import { HOLDS, type Verdict } from '../trace/verdict.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import { BadAnswer, badAnswer, shownAnswer } from '../kernel/user-code/answer.ts';
import type { Oracle, Session } from '../kernel/ports.ts';
import type { World } from '../kernel/world.ts';
import { InvariantThrew } from './invariants.ts';
import { isListOfTexts, isObject } from './judgment.ts';

/** An oracle of the user, under the name that the system gives it, with its answers checked. */
export function named(name: string, oracle: Oracle): Oracle {
  const who = (): string => `the oracle ${name}`;
  const verdict = (world: World, by: 'judge' | 'end', question: () => unknown): Verdict => {
    const answer = ask(name, who, world, question);
    if (answer === HOLDS) return HOLDS;
    const read = (): Verdict => verdictOf(() => `${by} of the ${asked(name, world)}`, answer);
    return renamed(name, readIn(name, world, read));
  };
  return {
    judge: (world, last) => verdict(world, 'judge', () => oracle.judge(world, last)),
    end: (world, quiet) => (oracle.end === undefined ? HOLDS : verdict(world, 'end', () => oracle.end?.(world, quiet))),
    ...(oracle.undecidedUntilMs === undefined ? {} : { undecidedUntilMs: () => oracle.undecidedUntilMs?.() }),
    ...(oracle.begin === undefined ? {} : { begin: (session) => named(name, begun(name, who, oracle, session)) }),
    ...(oracle.isOfWorld === undefined ? {} : { isOfWorld: oracle.isOfWorld }),
    ...(oracle.waitsFor === undefined ? {} : { waitsFor: (event, world) => oracle.waitsFor?.(event, world) === true }),
    ...(oracle.fairRounds === undefined ? {} : { fairRounds: oracle.fairRounds }),
  };
}

const begun = (name: string, who: () => string, oracle: Oracle, session: Session): Oracle =>
  readIn(name, session.world, () =>
    judgeOf(
      `begin of the oracle ${name}`,
      ask(name, who, session.world, () => oracle.begin?.(session)),
    ),
  );

/** Reads the answer of an oracle, which may be a Proxy that throws. */
function readIn<T>(name: string, world: World, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isOf(error, CulpritError)) throw error;
    throw new InvariantThrew(`reading what the oracle ${name} returned`, world.length, error);
  }
}

function ask(name: string, who: () => string, world: World, question: () => unknown): unknown {
  nowAsking(who);
  try {
    return question();
  } catch (error) {
    // The oracle called a function of the user that failed: its goal, or its model.
    if (isOf(error, BadAnswer))
      throw new BadAnswer(`the ${asked(name, world)} cannot judge: ${error.who}`, error.returned, error.next);
    throw new InvariantThrew(who(), world.length, error);
  } finally {
    doneAsking();
  }
}

/** Call this only when the text is needed: reading `length` counts as a read of the oracle, which limits reductions. */
const asked = (name: string, { length }: World): string => `oracle ${name}, asked after event ${length},`;

function renamed(name: string, verdict: Verdict): Verdict {
  switch (verdict.kind) {
    case 'holds':
      return verdict;
    case 'unknown':
      return { ...verdict, why: `${name}: ${verdict.why}` };
    case 'violated':
      return { ...verdict, oracle: name, fingerprint: name + verdict.fingerprint.slice(verdict.oracle.length) };
  }
}

const INSTEAD =
  "Return { kind: 'holds' }, { kind: 'unknown', why } or { kind: 'violated', oracle, message, processes, fingerprint }.";

/** The answer of an oracle as a verdict; throws if it is none. */
function verdictOf(who: () => string, answer: unknown): Verdict {
  if (!isObject(answer)) throw badAnswer(who(), answer, INSTEAD);
  switch (answer['kind']) {
    case 'holds':
      return answer as unknown as Verdict;
    case 'unknown':
      return complete(who, answer, {
        why: isText,
        isUnfinished: (flag) => flag === undefined || typeof flag === 'boolean',
      });
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

/** The answer of `begin` as an oracle; throws if it is none. */
function judgeOf(who: string, answer: unknown): Oracle {
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
