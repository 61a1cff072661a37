/** Characters that take two columns: those of East Asia, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Text of these alone, which is most of it, has one column per character. */
const NARROW = /^[\u0020-\u02ff\u2010-\u2027\u2190-\u21ff]*$/;

/** Characters that take no column by themselves: accents, joiners, spaces without a width. */
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** The characters as a reader counts them: a letter with its accents, an emoji of several parts. */
export function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** The number of columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  return charactersOf(text).reduce((sum, character) => sum + widthOfCharacter(character), 0);
}

const widthOfCharacter = (character: string): number => (WIDE.test(character) ? 2 : INVISIBLE.test(character) ? 0 : 1);

/** `padEnd` and `padStart` in columns. */
export const paddedEnd = (text: string, columns: number): string => text + space(columns - widthOf(text));
export const paddedStart = (text: string, columns: number): string => space(columns - widthOf(text)) + text;

const space = (columns: number): string => ' '.repeat(Math.max(0, columns));

/** The beginning of a text that fits into so many columns. */
export function firstColumns(text: string, columns: number): string {
  if (NARROW.test(text)) return text.slice(0, columns);
  let [fitting, left] = ['', columns];
  for (const character of charactersOf(text)) {
    left -= widthOfCharacter(character);
    if (left < 0) break;
    fitting += character;
  }
  return fitting;
}

/** The whole text if it fits, otherwise its beginning and an ellipsis. */
export const shortenedTo = (text: string, columns: number): string =>
  widthOf(text) <= columns ? text : `${firstColumns(text, columns - 1)}…`;
