import type { WriteStream } from 'node:tty';
import { printable, printableJson } from '../../text/printable.ts';
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

/** The version of the reports that `--json` prints: `schema/report-1.json` describes them. */
const REPORT_FORMAT = '1.0';

/** Prints the report of a command as one JSON object, which says what it is. */
export const printJson = (report: string, fields: object): void =>
  void write(`${printableJson(JSON.stringify({ report, format: REPORT_FORMAT, ...fields }))}\n`);

/** Prints text or bytes in the format of another tool, which has its own rules for escapes. */
export const printContent = (content: string | Uint8Array): void => void write(content);

/** A line without its line break, made printable. */
export const shown = (line: string): string => colored(printable(line));

const ended = (line: string): string => `${shown(line)}\n`;

/** Narrower terminals wrap lines themselves. */
const WIDTH_MIN = 40;

/** The width of the terminal; undefined if there is none. */
export function terminalWidth({ isTTY, columns }: WriteStream = process.stdout): number | undefined {
  return isTTY && columns > 0 ? Math.max(columns, WIDTH_MIN) : undefined;
}
