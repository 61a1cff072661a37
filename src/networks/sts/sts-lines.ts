import { BadCapture } from '../captures/bad-capture.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** One line of a file of STS, and its number. */
export interface StsLine {
  readonly line: number;
  readonly fields: Fields;
}

export const recordOf = (given: unknown): Fields | undefined =>
  typeof given === 'object' && given !== null ? (given as Fields) : undefined;

/** The items of a list; none of anything else. */
export const itemsOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? (given as unknown[]) : []);

/** The lines of a file of STS, each a JSON object. Empty lines are left out. */
export const stsLines = (text: string): StsLine[] =>
  text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ line: at + 1, fields: parsed(line, at + 1) }]));

function parsed(line: string, number: number): Fields {
  try {
    const given = recordOf(JSON.parse(line));
    if (given !== undefined) return given;
  } catch {
    // Said below.
  }
  throw new BadCapture(
    `line ${number} of the trace is no JSON object.`,
    'Give the text of an events.trace of STS. A data-plane trace is a Python pickle: write each of its events with to_json() first.',
  );
}
