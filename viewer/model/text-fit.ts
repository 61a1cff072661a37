import type { EventSentence } from 'culprit/trace';

/** The width of a text in pixels, in the font of sentences or in that of data. */
export interface TextWidths {
  readonly words: (text: string) => number;
  readonly data: (text: string) => number;
}

/** How the text of an event fits into a column: the sentence first, and behind it the changes that have room. */
export interface TextFit {
  /** The lines that the sentence takes: it is never cut. */
  readonly lines: number;
  /** The changes behind it, and how many are left: each is shown whole or not at all. */
  readonly changes: string;
}

/** Space between a sentence and the changes behind it. */
const GAP = 10;
/** Room for the differences between computed and drawn widths. */
const SLACK = 6;

/** Of a column this many pixels wide. */
export function fitOf({ what, changes }: EventSentence, column: number, widths: TextWidths): TextFit {
  const room = Math.max(1, column - SLACK);
  const { lines, last } = wrapped(what, room, widths.words);
  const fits = (text: string): boolean => last + GAP + widths.data(text) <= room;
  const texts = changes.map((_, at) => firstOf(changes, changes.length - at));
  return { lines, changes: texts.find(fits) ?? '' };
}

/** The first of these changes, and the number of the others. */
function firstOf(changes: readonly string[], count: number): string {
  const left = changes.length - count;
  return left === 0 ? changes.join(', ') : `${changes.slice(0, count).join(', ')}, +${left}`;
}

/** Breaks a text between words, and within a word that has no room; returns the width of the last line, too. */
function wrapped(text: string, room: number, widthOf: (text: string) => number): { lines: number; last: number } {
  const whole = widthOf(text);
  if (whole <= room) return { lines: 1, last: whole };
  const space = widthOf(' ');
  let [lines, last] = [1, 0];
  for (const word of text.split(/\s/)) {
    const width = widthOf(word);
    if (last > 0 && last + space + width > room) [lines, last] = [lines + 1, 0];
    const end = last + (last > 0 ? space : 0) + width;
    lines += Math.max(0, Math.ceil(end / room) - 1);
    last = end > room ? end % room : end;
  }
  return { lines, last };
}
