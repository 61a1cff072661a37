import { printable } from '../../text/printable.ts';
import { LABEL_WIDTH, wrapLines } from '../../text/wrap.ts';
import { printError, printOut, terminalWidth } from './output.ts';
import { errorStyle, style, type Style } from './style.ts';

/**
 * Prints lines that begin with a label, or are indented below one. This is how commands print everything but stories: lines are
 * broken between words to fit the terminal, and labels have the color of their meaning.
 */
export const printLines = (lines: readonly string[]): void => printOut(fitting(lines, process.stdout, style));

/** The same to standard error. */
export const printErrorLines = (lines: readonly string[]): void =>
  printError(fitting(lines, process.stderr, errorStyle));

/** A label and a text of one or more lines. Further lines are indented, so that none of them looks like a label of ours. */
export const labeled = (label: string, text: string): string[] =>
  text.split('\n').map((line, at) => `${(at === 0 ? label : '').padEnd(LABEL_WIDTH)}${line}`);

const fitting = (lines: readonly string[], stream: NodeJS.WriteStream, paints: Style): string[] =>
  wrapLines(lines.map(printable), terminalWidth(stream)).map((line) =>
    line.replace(LABEL, (label) => paints[meanings[label] ?? 'quiet'](label)),
  );

const LABEL = /^(point of no return|delayed only|no (choice|effect|matter)|\w+)(?= |$)/;

/** The labels that are more than a name of what follows. */
const meanings: Readonly<Record<string, 'bad' | 'doubtful' | 'good'>> = {
  bug: 'bad',
  error: 'bad',
  problem: 'bad',
  refuted: 'bad',
  unwell: 'bad',
  violated: 'bad',
  stuck: 'doubtful',
  unknown: 'doubtful',
  warning: 'doubtful',
  healthy: 'good',
  holds: 'good',
  nothing: 'good',
  ok: 'good',
  reached: 'good',
};
