import { printable, printableJson } from '../../text/printable.ts';
import { colored } from './style.ts';

/** Everything that a command prints goes through here: of controls only line ends and colors of ours get out. */

/** Lines, to standard output. */
export const say = (lines: readonly string[]): void => void process.stdout.write(lines.map(ended).join(''));

/** Lines, to standard error. */
export const complain = (lines: readonly string[]): void => void process.stderr.write(lines.map(ended).join(''));

/** One JSON value, for machines. */
export const sayJson = (value: unknown): void => void process.stdout.write(`${printableJson(JSON.stringify(value))}\n`);

/** A text in the format of another tool, which has made it printable by rules of its own. */
export const sayText = (text: string): void => void process.stdout.write(text);

/** A line without its end. */
export const shown = (line: string): string => colored(printable(line));

const ended = (line: string): string => `${shown(line)}\n`;

/** Where the text begins behind the word that says what it is. */
const TEXT_AT = 10;

/** A text of one or more lines behind a word: a line of it never begins where words of ours do. */
export const labeled = (label: string, text: string, paint = (word: string): string => word): string[] =>
  text.split('\n').map((line, at) => (at === 0 ? paint(label) + ' '.repeat(TEXT_AT - label.length) : INDENT) + line);

const INDENT = ' '.repeat(TEXT_AT);
