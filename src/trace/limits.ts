/**
 * What a trace file may have at most. A file may come from anybody: within these limits every command takes time and memory
 * in proportion to the file; a larger file is refused by name of the limit. The README lists them.
 */
export const traceLimits = {
  /** Of the file, once it is unpacked. */
  bytes: 128 * 1024 * 1024,
  /** Lines of events, and lines of what is pending. */
  events: 1_000_000,
  pending: 1_000_000,
  /** Names of processes, the environment included. */
  processes: 100_000,
  /** Objects, arrays, texts and other values of all lines together. */
  values: 10_000_000,
  /** Characters of one text. */
  text: 16 * 1024 * 1024,
  /** Brackets within brackets of one line: plain data 100 deep takes up to three for each level. */
  nesting: 400,
} as const;

export type TraceLimit = keyof typeof traceLimits;

/** `more than 1,000,000 events`. */
export const moreThan = (limit: TraceLimit): string =>
  `more than ${traceLimits[limit].toLocaleString('en')} ${UNITS[limit]}`;

const UNITS: Readonly<Record<TraceLimit, string>> = {
  bytes: 'bytes',
  events: 'events',
  pending: 'pending events',
  processes: 'processes',
  values: 'values',
  text: 'characters in one text',
  nesting: 'levels of nesting',
};
