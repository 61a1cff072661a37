import type { EventSentence } from 'culprit/trace';

/** The width of a text in pixels, in the font of sentences or in that of data. */
export interface TextWidths {
  readonly words: (text: string) => number;
  readonly data: (text: string) => number;
}

/** How the text of an event fits into a column: the sentence first, and behind it the changes that have room. */
export interface TextFit {
  /** The lines that the sentence takes. Only one that fills half a screen is cut: the panel has it in full. */
  readonly lines: number;
  /** The changes behind it, and how many are left: each is shown whole or not at all. */
  readonly changes: string;
}

/** Space between a sentence and the changes behind it. */
const GAP = 10;
/** Room for the differences between computed and drawn widths. */
const SLACK = 6;

const LINES_MAX = 20;

/** Of a column this many pixels wide. */
export function fitOf({ what, changes }: EventSentence, column: number, widths: TextWidths): TextFit {
  const room = Math.max(1, column - SLACK);
  const lines = wrapped(what, room, widths.words);
  const last = widths.words(lines.at(-1) ?? '');
  const fits = (text: string): boolean => last + GAP + widths.data(text) <= room;
  const texts = changes.map((_, at) => firstOf(changes, changes.length - at));
  return { lines: Math.min(LINES_MAX, lines.length), changes: texts.find(fits) ?? '' };
}

/** The first of these changes, and the number of the others. */
function firstOf(changes: readonly string[], count: number): string {
  const left = changes.length - count;
  return left === 0 ? changes.join(', ') : `${changes.slice(0, count).join(', ')}, +${left}`;
}

/** Breaks a text between words, and within a word that has no room. */
export function wrapped(text: string, room: number, widthOf: (text: string) => number): string[] {
  if (widthOf(text) <= room) return [text];
  const lines = [''];
  for (const word of text.split(/\s/).flatMap((whole) => broken(whole, room, widthOf))) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? word : `${last} ${word}`;
    if (last === '' || widthOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The parts of a word that have room. */
function broken(word: string, room: number, widthOf: (text: string) => number): string[] {
  if (widthOf(word) <= room) return [word];
  const parts = [''];
  for (const character of word) {
    const longer = `${parts.at(-1) ?? ''}${character}`;
    if (widthOf(longer) <= room || parts.at(-1) === '') parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}
