import { BadAnswer, badAnswer, shownAnswer } from '../kernel/user-code/answer.ts';
import type { Judgment, Witness } from '../system/invariant.ts';
import type { World } from '../kernel/world.ts';

const INSTEAD = 'Return true if it holds; otherwise false, a sentence or a witness { message, … }.';

/** The answer of an invariant as a judgment; throws if it is none. */
export function judgmentOf(name: string, world: World, answer: unknown): Judgment {
  if (typeof answer === 'boolean') return answer;
  if (typeof answer === 'string' && answer.trim() !== '') return answer;
  if (!isObject(answer) || !('message' in answer)) throw badAnswer(asked(name, world), answer, INSTEAD);
  const wrong = wrongIn(answer);
  if (wrong === undefined) return answer as unknown as Witness;
  throw new BadAnswer(asked(name, world), `a witness whose ${wrong} is ${shownAnswer(answer[wrong])}`, WITNESS[wrong]);
}

/**
 * Call this only when the text is needed: reading `length` counts as a read of the oracle, and `length` differs in
 * every order.
 */
const asked = (name: string, { length }: World): string => `the invariant ${name}, asked after event ${length},`;

/** The required type of each field of a witness. */
const WITNESS = {
  message: 'The `message` is a sentence that says what is wrong.',
  processes: 'The `processes` are a list of names, or left out.',
  values: 'The `values` are an object: plain data by name. They may be left out.',
  fingerprint: 'The `fingerprint` is a text, or left out.',
} as const;

function wrongIn({ message, processes, values, fingerprint }: JudgmentFields): keyof typeof WITNESS | undefined {
  if (typeof message !== 'string' || message.trim() === '') return 'message';
  if (processes !== undefined && !isListOfTexts(processes)) return 'processes';
  if (values !== undefined && !isObject(values)) return 'values';
  if (fingerprint !== undefined && typeof fingerprint !== 'string') return 'fingerprint';
  return undefined;
}

type JudgmentFields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JudgmentFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
