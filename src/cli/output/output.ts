import { printable, printableJson } from '../../text/printable.ts';
import { colored } from './style.ts';

/**
 * All output of commands passes through here: the only control characters that get out are line breaks and our own
 * colors.
 */

/** Prints lines to standard output. */
export const printOut = (lines: readonly string[]): void => void process.stdout.write(lines.map(ended).join(''));

/** Prints lines to standard error. */
export const printError = (lines: readonly string[]): void => void process.stderr.write(lines.map(ended).join(''));

/** Prints one JSON value. */
export const printJson = (value: unknown): void =>
  void process.stdout.write(`${printableJson(JSON.stringify(value))}\n`);

/** Prints text in the format of another tool, which has its own rules for escapes. */
export const printText = (text: string): void => void process.stdout.write(text);

/** A line without its line break, made printable. */
export const shown = (line: string): string => colored(printable(line));

const ended = (line: string): string => `${shown(line)}\n`;

/** The column at which text begins behind its label. */
const TEXT_AT = 10;

/**
 * A label and a text of one or more lines. Further lines are indented, so that none of them looks like a label of ours.
 */
export const labeled = (label: string, text: string, paint = (word: string): string => word): string[] =>
  text.split('\n').map((line, at) => (at === 0 ? paint(label) + ' '.repeat(TEXT_AT - label.length) : INDENT) + line);

const INDENT = ' '.repeat(TEXT_AT);
