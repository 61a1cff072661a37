import type { WriteStream } from 'node:tty';
import { printable, printableJson } from '../../text/printable.ts';
import { wrap } from '../../text/wrap.ts';
import { colored } from './style.ts';

/**
 * All output of commands passes through here: the only control characters that get out are line breaks and our own
 * colors.
 */

/** Writes to standard output. */
let write = (text: string | Uint8Array, done?: () => void): unknown => process.stdout.write(text, done);

/**
 * From now on, standard output has what culprit prints, and nothing else. Text that the modules of a system write to it, while
 * they are loaded or later, goes to standard error.
 */
export function claimStandardOutput(): void {
  const { stdout, stderr } = process;
  write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
}

/** Resolves when everything that was printed has been written, or can no longer be written. */
export async function outputWritten(): Promise<void> {
  await Promise.all([
    new Promise<void>((resolve) => (process.stdout.writable ? write('', resolve) : resolve())),
    new Promise<void>((resolve) => (process.stderr.writable ? process.stderr.write('', () => resolve()) : resolve())),
  ]);
}

/** Prints lines to standard output. */
export const printOut = (lines: readonly string[]): void => void write(lines.map(ended).join(''));

/** Prints lines to standard error. */
export const printError = (lines: readonly string[]): void => void process.stderr.write(lines.map(ended).join(''));

/** Prints one JSON value. */
export const printJson = (value: unknown): void => void write(`${printableJson(JSON.stringify(value))}\n`);

/** Prints text or bytes in the format of another tool, which has its own rules for escapes. */
export const printContent = (content: string | Uint8Array): void => void write(content);

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

/** Text broken between words to fit behind a label. A line with a command of culprit stays whole, so that it can be copied. */
export function wrapped(text: string, width = Number.POSITIVE_INFINITY): string {
  const room = width - TEXT_AT;
  const isWhole = (line: string): boolean =>
    line.length <= room || line.startsWith(' ') || /\bculprit [a-z]/.test(line);
  const lines = text.split('\n').flatMap((line) => (isWhole(line) ? [line] : wrap(line, room)));
  return lines.join('\n');
}

/** Narrower terminals wrap lines themselves: columns need some room, words less. */
const WIDTH_MIN = 60;
const WORDS_MIN = 30;

/** The width of the terminal, for lines with columns; undefined if there is none. */
export const terminalWidth = (stream: WriteStream = process.stdout): number | undefined => widthOf(stream, WIDTH_MIN);

/** The same for text that is broken between words. */
export const textWidth = (stream: WriteStream = process.stdout): number | undefined => widthOf(stream, WORDS_MIN);

const widthOf = ({ isTTY, columns }: WriteStream, least: number): number | undefined =>
  isTTY && columns > 0 ? Math.max(columns, least) : undefined;
