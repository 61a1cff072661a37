import * as v from 'valibot';
import { CulpritError } from '../error.ts';
import {
  eventSchema,
  FORMAT,
  headerSchema,
  pendingSchema,
  verdictSchema,
  type EventLine,
  type Header,
  type PendingLine,
  type Trace,
  type VerdictLine,
} from './format.ts';

/** A file that is not a whole trace of a version we read. */
export class BadTrace extends CulpritError {
  readonly code = 'BAD_TRACE';
}

export const formatVersion = (): string => `${FORMAT.major}.${FORMAT.minor}`;

/** The text of a trace file: one line for each thing, so that two files can be compared with `diff`. */
export function writeTrace({ header, events, pending, verdict }: Trace): string {
  return [header, ...events, ...pending, verdict].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads what `writeTrace` wrote; `file` is its name, for messages. */
export function readTrace(text: string, file: string): Trace {
  const lines = text.split('\n');
  const header = readHeader(lines[0], file);
  // Every line ends with a newline, the last one too: a file cut in the middle of a line shows.
  if (lines.pop() !== '') throw truncated(file, lines.length);
  const events = lines
    .slice(1, header.events + 1)
    .map((line, at) => read(line, eventSchema, file, at + 2) as EventLine);
  const rest = lines.slice(header.events + 1);
  if (events.length < header.events || rest.length === 0) throw truncated(file, lines.length);
  const verdictAt = lines.length;
  const pending = rest
    .slice(0, -1)
    .map((line, at) => read(line, pendingSchema, file, header.events + at + 2) as PendingLine);
  return { header, events, pending, verdict: read(rest.at(-1), verdictSchema, file, verdictAt) as VerdictLine };
}

function readHeader(line: string | undefined, file: string): Header {
  const found = parse(line, file, 1);
  if (!isHeader(found)) {
    throw new BadTrace(
      `${file} is not a culprit trace.`,
      'A trace is what `culprit hunt` saves, such as .culprit/….trace.',
    );
  }
  checkVersion(String(found['format']), file);
  return checked(found, headerSchema, file, 1) as Header;
}

const isHeader = (found: unknown): found is Record<string, unknown> =>
  typeof found === 'object' && found !== null && 'trace' in found && found.trace === 'culprit';

/** Newer minor versions read older files, not the other way round. */
function checkVersion(format: string, file: string): void {
  const [major = Number.NaN, minor = Number.NaN] = format.split('.').map(Number);
  if (major === FORMAT.major && minor <= FORMAT.minor) return;
  const next =
    major < FORMAT.major
      ? 'Hunt again with this culprit to make a new trace.'
      : 'Install a newer culprit: npm install culprit@latest';
  throw new BadTrace(
    `${file} has the format ${format}; this culprit reads ${FORMAT.major}.0 to ${formatVersion()}.`,
    next,
  );
}

function read(line: string | undefined, schema: v.GenericSchema, file: string, at: number): unknown {
  return checked(parse(line, file, at), schema, file, at);
}

function parse(line: string | undefined, file: string, at: number): unknown {
  if (line === undefined || line.trim() === '') {
    if (at === 1) throw new BadTrace(`${file} is empty.`, NEXT);
    throw truncated(file, at);
  }
  try {
    return JSON.parse(line);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadTrace(
      `${file}, line ${at} is not JSON: ${why}.`,
      at === 1 ? 'A trace is what `culprit hunt` saves, such as .culprit/….trace.' : NEXT,
    );
  }
}

function checked(value: unknown, schema: v.GenericSchema, file: string, at: number): unknown {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const issue = result.issues[0];
  const path = v.getDotPath(issue);
  throw new BadTrace(`${file}, line ${at}${path === null ? '' : `, ${path}`}: ${issue.message}.`, NEXT);
}

const truncated = (file: string, lines: number): BadTrace =>
  new BadTrace(`${file} ends after ${lines} whole lines, before its verdict: it was cut short.`, NEXT);

const NEXT = 'The file is damaged: take it from where it was made, or hunt again with its seed.';
