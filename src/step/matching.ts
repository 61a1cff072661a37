import { BadCommand } from './bad-command.ts';
import { textOf, type StepDescription } from './describe.ts';

/** A message lists at most this many. */
const SHOWN_MAX = 8;

/** The descriptions that a text may mean: the one that is equal to it, or all that have each of its words, or else parts of words. */
export function matching<T extends StepDescription>(text: string, among: readonly T[]): T[] {
  const wanted = text.trim().toLowerCase();
  const exact = among.filter((one) => textOf(one).toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  const words = wanted.split(/\s+/);
  const having = (isIn: (word: string, description: string) => boolean): T[] =>
    among.filter((one) => words.every((word) => isIn(word, textOf(one).toLowerCase())));
  // A process may be called `c`, which is a part of many words.
  const whole = having((word, description) => description.split(/\s+/).includes(word));
  return whole.length > 0 ? whole : having((word, description) => description.includes(word));
}

/** The element that a number or text means. `what` completes the error message: "can happen". */
export function chosenFrom<T extends StepDescription>(text: string, among: readonly T[], what: string): T {
  const found = /^\d+$/.test(text) ? among.slice(Number(text) - 1, Number(text)) : matching(text, among);
  const [first] = Number(text) === 0 ? [] : found;
  if (first !== undefined && found.length === 1) return first;
  const all = among.map((one, at): [number, T] => [at + 1, one]);
  if (first === undefined)
    throw new BadCommand(
      `nothing that ${what} is ${/^\d+$/.test(text) ? `number ${text}` : `“${text}”`}: ${shown(all)}.`,
      'Choose an event by number or by words of its description; `list` shows the events, `help` the commands.',
    );
  throw new BadCommand(
    `“${text}” may mean ${shown(all.filter(([, one]) => found.includes(one)))}.`,
    'Choose by number, or give more words.',
  );
}

/** A text that identifies one element, or else its number. */
export function nameAmong<T extends StepDescription>(one: T, among: readonly T[]): string {
  const text = textOf(one);
  const isPlain = text.trim() === text && !/^#|^\d+$|\p{Cc}/u.test(text);
  return isPlain && matching(text, among).length === 1 ? text : String(among.indexOf(one) + 1);
}

function shown(found: readonly (readonly [number, StepDescription])[]): string {
  if (found.length === 0) return 'there is nothing';
  const first = found.slice(0, SHOWN_MAX).map(([number, one]) => `${number} ${textOf(one)}`);
  const more = found.length - first.length;
  return [...first, ...(more === 0 ? [] : [`${more} more`])].join('; ');
}
