import { withCommas } from '../text/with-commas.ts';

/**
 * Limits of trace files. A file may come from anyone: within these limits, every command takes time and memory in
 * proportion to the file. A larger file is refused, and the message names the limit. docs/reference/code.md lists them.
 */
export const traceLimits = {
  /** Of the unpacked file. */
  bytes: 128 * 1024 * 1024,
  /** Event lines, and pending lines. */
  events: 1_000_000,
  pending: 1_000_000,
  /** Names of processes, the environment included. */
  processes: 100_000,
  /** Objects, arrays, texts and other values of all lines together. */
  values: 10_000_000,
  /** Characters of one text. */
  text: 16 * 1024 * 1024,
  /** Nested brackets in one line: plain data of depth 100 takes up to three per level. */
  nesting: 400,
} as const;

export type TraceLimit = keyof typeof traceLimits;

/** `more than 1,000,000 events`. */
export const moreThan = (limit: TraceLimit): string => `more than ${withCommas(traceLimits[limit])} ${UNITS[limit]}`;

const UNITS: Readonly<Record<TraceLimit, string>> = {
  bytes: 'bytes',
  events: 'events',
  pending: 'pending events',
  processes: 'processes',
  values: 'values',
  text: 'characters in one text',
  nesting: 'levels of nesting',
};

/** Counts the values of all lines, and reports a line that exceeds a limit. */
export class LineSizes {
  private values = 0;

  /** The limit that the next line exceeds, if any. */
  tooMuchIn(line: unknown): string | undefined {
    return this.inValue(line, 0);
  }

  private inValue(value: unknown, depth: number): string | undefined {
    this.values += 1;
    if (this.values > traceLimits.values) return `the file has ${moreThan('values')}`;
    if (typeof value === 'string') return value.length > traceLimits.text ? `it has ${moreThan('text')}` : undefined;
    // JSON allows numbers beyond the range of a double: 1e999.
    if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'it has a number that is out of range';
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth >= traceLimits.nesting) return `it has ${moreThan('nesting')}`;
    for (const key of Object.keys(value)) {
      const found = this.inValue((value as Record<string, unknown>)[key], depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
