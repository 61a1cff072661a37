import { charactersOf, widthOf } from './width.ts';

/** Breaks text between words. A word that is longer than a line stays whole, unless it has wide characters. */
export const wrap = (text: string, width: number): string[] =>
  filled(
    text.split(' ').flatMap((word) => broken(word, width)),
    width,
  );

/** Breaks text after commas, which suits lists. Parts that are too long are broken between words. */
export const wrapList = (text: string, width: number): string[] =>
  filled(
    text
      .split(/(?<=,) /)
      .flatMap((part) => (widthOf(part) <= width ? [part] : part.split(' ').flatMap((word) => broken(word, width)))),
    width,
  );

/** Fills each line with as many parts as it has room for. No line is empty. */
function filled(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(part) <= width) lines[lines.length - 1] = `${last} ${part}`;
    else if (part !== '') lines.push(part);
  }
  return lines;
}

/** Breaks lines of a list between words; what does not fit continues below the text, behind the number or mark of the line. */
export const wrapHanging = (lines: readonly string[], width = Number.POSITIVE_INFINITY): string[] =>
  lines.flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const [start = ''] = /^[\s\d|=<>+−]*/.exec(line) ?? [];
    const [first = '', ...more] = wrap(line.slice(start.length), width - start.length);
    return [start + first, ...more.map((rest) => ' '.repeat(start.length) + rest)].map((part) => part.trimEnd());
  });

/** A word that is too long and has wide characters, in parts that fit: text in Chinese has no spaces. A path stays whole. */
function broken(word: string, width: number): string[] {
  if (widthOf(word) <= width || !WIDE.test(word)) return [word];
  const parts = [''];
  for (const character of charactersOf(word)) {
    const last = parts.length - 1;
    if (widthOf(`${parts[last]}${character}`) > width) parts.push(character);
    else parts[last] += character;
  }
  return parts;
}

const WIDE = /[\u2e80-\ud7a3]/;

/** The column at which text begins behind the label of a line, such as `violated`. */
export const LABEL_WIDTH = 10;

/** A command to paste at the end of a line: it stays whole, and terminals break it so that it can be copied. */
const COMMAND = /(?<=^|: | {2,})(?:culprit|node|npm|npx) .*$/;

/** A label that fills its column: `violated  `, `no effect `. */
const LABEL = /^[a-z][a-z ]{8} (?=\S)|^ */;

/** Breaks a line that begins with a label or is indented. Further lines are indented below the text. */
export function wrapLine(line: string, width = Number.POSITIVE_INFINITY): string[] {
  if (widthOf(line) <= width) return [line];
  const [label = ''] = LABEL.exec(line) ?? [];
  const text = line.slice(label.length);
  const [command = ''] = COMMAND.exec(text) ?? [];
  const [first = '', ...more] = [
    ...wrap(text.slice(0, text.length - command.length).trimEnd(), width - label.length),
    ...(command === '' ? [] : [command]),
  ];
  return [`${label}${first}`, ...more.map((rest) => `${' '.repeat(label.length)}${rest}`)];
}

/** The same for several lines. */
export const wrapLines = (lines: readonly string[], width?: number): string[] =>
  lines.flatMap((line) => wrapLine(line, width));
